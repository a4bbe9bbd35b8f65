/* A bot in C, without a JSON library: questions are found by their type, steps are the strings in "legal".
   cc -O2 -o bot bot.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state = 1;

static unsigned below(unsigned n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % n;
}

/* Return the nth step of a list of strings, with its end marked; count them all if nth is negative. */
static int step(char *list, int nth, char **found) {
    int count = 0;
    for (char *at = list; *at && *at != ']'; at++)
        if (*at == '"') {
            char *end = strchr(at + 1, '"');
            if (count++ == nth) {
                *end = 0;
                *found = at + 1;
                return count;
            }
            at = end;
        }
    return count;
}

int main(void) {
    char *line = NULL, *answer = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (strncmp(line, "{\"type\":\"hello\"", 15) == 0) { /* a game begins */
            char *seed = strstr(line, "\"seed\":");
            if (seed) state = strtoull(seed + 7, NULL, 10);
        } else if (strncmp(line, "{\"type\":\"choose\"", 16) == 0) { /* our turn */
            char *list = strstr(line, "\"legal\":[");
            if (!list) return 1;
            list += 9;
            int count = step(list, -1, &answer);
            step(list, (int)below((unsigned)count), &answer);
            puts(answer);
            fflush(stdout);
        }
    }
    free(line);
    return 0;
}
