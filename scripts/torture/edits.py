"""Removes protections from the source, one at a time: the test named with each has to fail then.

`taken_out` does this to the module that writes logs, with parts of the campaigns. Here are all others: what
is read, what reaches a terminal, what is legal, what is reported. Each edit is made in a copy of the tree, in
which the tests pass before.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PATIENCE = 120
"""Maximum time of a test, in seconds."""
RUN_PATIENCE = 30
"""Seconds that it waits for a run: less, because without its protection a run may never end."""


class Edit(NamedTuple):
    """A protection: its source, which occurs exactly once, the replacement, and its test."""

    protection: str
    source: str
    instead: str
    test: str


EDITS = (
    # A game in the browser
    Edit(
        "the names in Host",
        "if host not in self._gate.hosts:",
        "if False:",
        "attacks::test_another_host_is_misdirected",
    ),
    Edit(
        "the pages in Origin",
        'if origin is not None and origin.decode("latin-1").lower() not in self._gate.origins:',
        "if False:",
        "attacks::test_other_pages_are_refused",
    ),
    Edit(
        "the origin of requests that change something",
        'if scope["method"] == "POST" and origin is None:',
        "if False:",
        "attacks::test_a_request_that_changes_something_must_name_its_origin",
    ),
    Edit(
        "the cookie of a browser that was let in",
        "if found is None or not compare_digest(found.value.encode(), self._gate.session.encode()):",
        "if False:",
        "attacks::test_without_the_secret_there_is_nothing",
    ),
    Edit(
        "the secret of the link",
        "if not compare_digest(given[0].encode(), self._gate.secret.encode()):",
        "if False:",
        "attacks::test_a_wrong_secret_is_refused_and_sets_nothing",
    ),
    Edit(
        "the content type of requests",
        'if kind != "application/json":',
        "if False:",
        "attacks::test_only_json_is_read",
    ),
    Edit(
        "the limit of a request without a length",
        "        if len(data) > MAX_BODY_BYTES:",
        "        if False:",
        "attacks::test_a_body_of_100_mb_is_refused_and_not_kept",
    ),
    Edit(
        "the folder that links must not leave",
        "if os.path.commonpath([self.root, path]) != self.root or path == self.root:",
        "if False:",
        "attacks::test_nothing_outside_the_folder_is_shown_or_written",
    ),
    Edit(
        "the limit of streams",
        "if self._house.full:",
        "if False:",
        "attacks::test_more_streams_than_there_may_be_are_refused_clearly",
    ),
    Edit(
        "the server, when a browser leaves",
        "signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a browser",
        "pass  # a browser",
        "attacks::test_browsers_that_leave_in_the_middle_do_no_harm",
    ),
    Edit(
        "the bots that a browser may seat",
        "if name not in offered:",
        "if False:",
        "serve::test_programs_play_only_if_the_command_line_offers_them",
    ),
    # Limits
    Edit(
        "the limit of a log, when it is read",
        "if done > limits.MAX_LOG_BYTES:",
        "if False:",
        "limits::test_a_log",
    ),
    Edit(
        "the limit of a line without an end",
        'if len(rest) > limits.MAX_LINE_BYTES:\n            raise too_long(lines + block.count(b"\\n") + 1)',
        "if False:\n            pass",
        "limits::test_an_endless_stream_is_not_read_to_its_end",
    ),
    Edit(
        "the limit of a log, when lines are added",
        "        check_size(self._size + len(lines), self.most)\n",
        "",
        "limits::test_a_log",
    ),
    Edit(
        "the limit of a log, when a new one is made",
        "        check_size(len(data))\n",
        "",
        "limits::test_a_log",
    ),
    Edit(
        "the limit of steps on standard input",
        "while len(data) <= limits.MAX_STEPS_BYTES and (more := read_fd(0)):",
        "while more := read_fd(0):",
        "bad_input::test_endless_steps_are_not_read_to_their_end",
    ),
    Edit(
        "the limit of dots in a TOML line",
        'if line.count(b".") > limits.MAX_KEY_DOTS:',
        "if False:",
        "limits::test_a_component_file_whose_keys_have_many_parts",
    ),
    Edit(
        "the limit of a line, when many are read",
        "if size <= limits.MAX_LINE_BYTES or max(map(len, lines)) <= limits.MAX_LINE_BYTES:",
        "if True:",
        "limits::test_a_line_is_no_longer_for_those_who_read_many_at_once",
    ),
    Edit(
        "the limit of the first line",
        "        if len(line) > limits.MAX_LINE_BYTES:\n            raise too_long(1)\n",
        "",
        "limits::test_a_line_is_no_longer_for_those_who_read_many_at_once",
    ),
    Edit(
        "the limit of a line of an older format",
        "if len(raw) > limits.MAX_LINE_BYTES:",
        "if False:",
        "limits::test_a_line_of_an_older_format",
    ),
    Edit(
        "the limit of a log, on standard output",
        "    check_size(len(data))\n    if sys",
        "    if sys",
        "limits::test_a_log_on_standard_output",
    ),
    Edit(
        "the limit of the record of a run",
        '        if len(data) > limits.MAX_LOG_BYTES:\n            raise Unreadable(f"the file is longer',
        '        if False:\n            raise Unreadable(f"the file is longer',
        "files::test_a_file_that_is_read_whole_has_a_limit",
    ),
    Edit(
        "the size of the cache of rule-sets",
        "@lru_cache(maxsize=64)  # names come from logs, too",
        "@lru_cache(maxsize=None)  # names come from logs, too",
        "limits::test_engines_that_strange_logs_name_do_not_fill_the_memory",
    ),
    Edit(
        "forgetting effects once they are handed on",
        "        state.effects = []\n        return Moment(",
        "        return Moment(",
        "goldens::test_a_golden_game_reads_as_it_did",
    ),
    Edit(
        "dropping checkpoints",
        "                del marks[at]\n",
        "                pass\n",
        "limits::test_taking_back_in_a_long_game_costs_what_is_taken_back",
    ),
    Edit(
        "short quotes in errors",
        "_kinds, brief(str(error)))",
        "_kinds, str(error))",
        "limits::test_an_error_quotes_little_of_a_long_line",
    ),
    Edit(
        "the check for a regular file",
        "if not stat.S_ISREG(found.st_mode):",
        "if False:",
        "files::test_only_ordinary_files_are_appended_to",
    ),
    Edit(
        "the room of a code",
        "if self._room < 0:",
        "if False:",
        "codes::test_a_log_without_an_end_is_given_up_when_its_code_is_full",
    ),
    # Strangers' logs
    Edit(
        "escapes in names",
        "names = [safe(name) for name in fold.created.players]\n    match",
        "names = [*fold.created.players]\n    match",
        "strangers::test_what_a_log_says_is_shown_and_not_sent",
    ),
    Edit(
        "escapes in remarks",
        "{safe(event.text)}",
        "{event.text}",
        "strangers::test_what_a_log_says_is_shown_and_not_sent",
    ),
    Edit(
        "escapes in errors",
        "remark(safe(line))",
        "remark(line)",
        "strangers::test_errors_show_and_do_not_send",
    ),
    Edit(
        "escapes in a log on a terminal",
        "    if sys.stdout.isatty():\n        data = printable",
        "    if False:\n        data = printable",
        "strangers::test_a_log_on_a_terminal_is_shown_and_not_sent",
    ),
    Edit(
        "escapes in the data of a page",
        'BREAKERS = {"<": "\\\\u003c", ',
        "BREAKERS = {",
        "replay::test_nothing_in_names_and_notes_breaks_out",
    ),
    Edit(
        "escapes in the text of a page",
        "return escape(safe(words))",
        "return safe(words)",
        "replay::test_nothing_in_names_and_notes_breaks_out",
    ),
    Edit(
        "pages over nothing but pages",
        'if os.path.lexists(path) and not next(raw(path), b"").startswith(beginning):',
        "if False:",
        "replay::test_a_page_replaces_only_a_page",
    ),
    Edit(
        "reading the events that a program made like lines",
        "self._take(as_read(event, decoder_of(self.rules).decode))",
        "self._take(event)",
        "values::test_no_event_is_taken_that_no_log_may_have",
    ),
    Edit(
        "reading the first event that a program made like a line",
        "            created = as_read(created, decode_created)\n",
        "            pass\n",
        "values::test_a_first_event_is_read_like_a_line",
    ),
    Edit(
        "holding draws to their seed",
        "            if has != gives:\n",
        "            if False:\n",
        "verify::test_draws_are_held_to_their_seed_if_asked",
    ),
    Edit(
        "remarks of forks counting only in their place",
        "if event == seed_remark(self._line + 1):",
        'if getattr(event, "text", "").startswith("seed counts"):',
        "verify::test_a_remark_elsewhere_excuses_no_draw",
    ),
    Edit(
        "taking a torn game out of a stream alone",
        "or is_json(line):\n        return [line]",
        "or True:\n        return [line]",
        "verify::test_a_torn_game_leaves_the_others_alone",
    ),
    Edit(
        "searching for plug-ins once",
        "@lru_cache(maxsize=4)\ndef _searched(",
        "@lru_cache(maxsize=0)\ndef _searched(",
        "verify::test_unknown_rules_are_looked_up_once",
    ),
    Edit(
        "looking up rules among the installed ones only",
        "    points = [point for point in _plugged() if point.name == name]\n",
        '    with __import__("contextlib").suppress(Exception):\n        import_module(name)\n'
        "    points = [point for point in _plugged() if point.name == name]\n",
        "strangers::test_rules_are_looked_up_and_never_loaded_by_a_path",
    ),
    # Formats
    Edit(
        "checking the format when a log is read",
        "    if header.format is not UNSET:\n",
        "    if False:\n",
        "corpus::test_a_newer_format_is_refused_before_anything_is_written",
    ),
    Edit(
        "checking the format in `repair`",
        "        _check_first_line(path)\n",
        "        pass\n",
        "corpus::test_a_newer_format_is_refused_before_anything_is_written",
    ),
    Edit(
        "checking the format in `convert`",
        "    if found >= FORMAT:\n",
        "    if False:\n",
        "corpus::test_any_other_format_is_refused",
    ),
    Edit(
        "passing the current format through, in `convert`",
        "    if found >= FORMAT and last is None:\n        yield from blocks\n        return\n",
        "",
        "commands::test_convert_takes_no_log_that_verify_refuses",
    ),
    # Errors about a damaged log
    Edit(
        "rejecting an empty log",
        "    if not done:\n        raise",
        "    if False:\n        raise",
        "files::test_an_empty_log_is_no_log",
    ),
    Edit(
        "an error's line",
        "            error.line = self.line\n            raise",
        "            raise",
        "mutants::test_some_mutants_of_every_golden_game",
    ),
    Edit(
        "reporting text that is not UTF-8 as damage",
        "except UnicodeDecodeError:\n        raise DamagedLog",
        "except ZeroDivisionError:\n        raise DamagedLog",
        "files::test_text_that_is_not_utf8_is_named",
    ),
    Edit(
        "reporting deep JSON as damage",
        "except RecursionError:\n        raise DamagedLog",
        "except ZeroDivisionError:\n        raise DamagedLog",
        "limits::test_deep_json",
    ),
    Edit(
        "the depth of component files",
        "if _deeper(found, limits.MAX_COMPONENTS_DEPTH):",
        "if not data:",
        "bad_input::test_components_that_can_not_be",
    ),
    Edit(
        "rejecting unknown fields",
        'tag_field="type", forbid_unknown_fields=True, gc=False',
        'tag_field="type", gc=False',
        "files::test_a_bad_line_is_named_with_its_field",
    ),
    # The rules
    Edit(
        "checking that a choice is legal",
        "                if not state.allows(code):\n                    raise self._refusal(choice)\n",
        "",
        "mutants::test_some_mutants_of_every_golden_game",
    ),
    Edit(
        "checking that a choice is legal, event by event",
        "if code is None or not self.state.allows(code):",
        "if code is None:",
        "game::test_events_that_cant_come_now_are_refused",
    ),
    Edit(
        "comparing results with the log",
        "        if was != is_:\n",
        "        if False:\n",
        "mutants::test_some_mutants_of_every_golden_game",
    ),
    Edit(
        "going back after a rejected result",
        "            self._rewind(len(self.history))\n",
        "",
        "mutants::test_what_becomes_of_a_mutant",
    ),
    Edit(
        "checking the round of a deal",
        "if event.round != state.round + 1:",
        "if False:",
        "game::test_an_impossible_deal_is_refused_at_a_table",
    ),
    Edit(
        "undo ending at rest",
        "        if not self.at_rest:\n            self.state = before\n",
        "        if False:\n            self.state = before\n",
        "game::test_undo_may_not_end_between_a_choice_and_its_results",
    ),
    Edit(
        "refusing to undo what the system drew",
        '        if self.created.chance == "system" and any(',
        "        if False and any(",
        "game::test_what_the_system_drew_cant_be_taken_back",
    ),
    Edit(
        "all steps or none",
        "trial = self if len(words) == 1 and fold.at_rest else self._trial()",
        "trial = self",
        "fuzz::test_the_inputs_to_begin_with",
    ),
    # Commands
    Edit(
        "`--expect`",
        "        check_length(game, expect, path)\n",
        "",
        "commands::test_expect_guards_every_command_that_adds",
    ),
    Edit(
        "`--expect`, for a log from standard input",
        '    api.check_length(game, expect, "-")\n',
        "",
        "commands::test_expect_guards_a_log_from_standard_input",
    ),
    Edit(
        "`legal` drawing nothing if the system draws",
        '    elif game.created.chance == "system" and game.player is None and not game.over:\n        raise',
        "    game.settle()\n    if False:\n        raise",
        "commands::test_legal_does_not_tell_what_the_system_would_draw",
    ),
    Edit(
        "`--expect` before the system draws",
        "        check_length(game, expect, path)\n",
        '        if game.created.chance == "system":\n            file.append(encode_lines(game.settle()))\n'
        "        check_length(game, expect, path)\n",
        "commands::test_a_refused_length_changes_nothing_where_the_system_draws",
    ),
    Edit(
        "`--wait`",
        "Appender(path, sync=sync, wait=wait)",
        "Appender(path, sync=sync)",
        "commands::test_wait_waits_for_the_lock",
    ),
    Edit(
        "writing the answer whole without Python's buffer",
        "    sys.stdout = _buffered(sys.stdout)\n",
        "",
        "commands::test_a_log_that_is_cut_short_on_its_way_out_is_told",
    ),
    Edit(
        "the flush before the exit code",
        "        sys.stdout.flush()\n        return code",
        "        return code",
        "bad_input::test_no_space_left_for_the_answer",
    ),
    Edit(
        "silence at closed pipes",
        "signal.signal(signal.SIGPIPE, signal.SIG_DFL)",
        "pass",
        "cli::test_a_closed_pipe_is_no_news",
    ),
    Edit(
        "giving the backup the mode of the log",
        "                _give(fd, like)\n",
        "                pass\n",
        "commands::test_a_backup_is_for_those_who_may_read_the_log",
    ),
    Edit(
        "giving the backup the owner of the log",
        "            os.fchown(fd, owner, like.st_gid)\n",
        "",
        "commands::test_a_backup_belongs_to_those_whom_the_log_belongs_to",
    ),
    Edit(
        "checking that `repair` cuts a log",
        "compact.startswith(BEGINNING) or",
        'compact.startswith(b"{") or',
        "commands::test_what_is_no_log_is_not_repaired",
    ),
    Edit(
        "noticing another writer in `play`",
        'if b"".join(file.read()) != self.data:',
        "if False:",
        "play::test_another_writer_is_noticed",
    ),
    Edit(
        "comparing all bytes in `play`",
        'if b"".join(file.read()) != self.data:',
        'if len(b"".join(file.read())) != len(self.data):',
        "play::test_another_log_of_the_same_length_is_noticed",
    ),
    Edit(
        "all steps or none, in `play`",
        "        trial = self.game.copy()\n        tokens",
        "        trial = self.game\n        tokens",
        "play::test_nothing_of_a_line_with_a_slip_is_played",
    ),
    # New files and backups
    Edit(
        "a draft that no other program has",
        "return os.open(name, _NEW, mode), name",
        "return os.open(name, _NEW & ~os.O_EXCL, mode), name",
        "files::test_the_draft_of_another_program_is_left_alone",
    ),
    Edit(
        "a backup that is private while it is a draft",
        "_open_draft(path, mode if like is None else 0o600)",
        "_open_draft(path)",
        "files::test_a_backup_is_never_open_to_more_people_than_the_log",
    ),
    Edit(
        "naming the backup if the cut fails",
        'raise Unreadable(f"{error}; the original is in {shown(backup)}") from None',
        "raise",
        "files::test_a_torn_line_that_cant_be_cut_off_is_in_the_backup",
    ),
    Edit(
        "new logs in unreadable folders",
        "errno.EINVAL, errno.EACCES, errno.EPERM,",
        "errno.EINVAL,",
        "files::test_a_folder_that_nobody_may_read_has_room_for_a_new_log",
    ),
    Edit(
        "deleting the draft of a replacement",
        "renamed by now, or useless\n            os.unlink(draft)",
        "renamed by now, or useless\n            pass",
        "files::test_a_file_that_cant_be_replaced_stays_and_no_draft_is_left",
    ),
    # Following
    Edit(
        "waiting at every half-written line",
        "        if end > len(last):\n            waited = False\n",
        "        if end > len(last):\n",
        "follow::test_a_half_written_line_right_after_another_is_waited_for",
    ),
    Edit(
        "comparing the previous line while following",
        "        if not data.startswith(last):\n",
        "        if False:\n",
        "follow::test_a_log_that_is_not_the_same_any_more_is_a_conflict",
    ),
    Edit(
        "checking that a followed log still has its name",
        "        if not same:\n            raise Conflict",
        "        if False:\n            raise Conflict",
        "follow::test_a_log_that_is_not_the_same_any_more_is_a_conflict",
    ),
    Edit(
        "following a moved log to its end",
        "        if not pause():\n            return False\n        if not same:\n",
        "        if same and not pause():\n            return False\n        if not same:\n",
        "follow::test_a_log_that_was_told_to_its_end_may_be_moved",
    ),
    # Runs of many games
    Edit(
        "syncing games before they are counted",
        "    writing.sync(gone, folder)\n",
        "",
        "simulate::test_the_disk_has_the_logs_before_the_tally",
    ),
    Edit(
        "one run at a time in a folder",
        '            lock(self._fd, shown(self.path), "another program is using the folder")\n',
        "",
        "simulate::test_a_folder_is_for_one_run_at_a_time",
    ),
    Edit(
        "rejecting a folder with another run",
        "        if wanted != found:\n",
        "        if False:\n",
        "simulate::test_another_run_is_refused",
    ),
    Edit(
        "playing a shard again whose tally a power cut has torn",
        'if not data or "truncated" in str(error):',
        "if False:",
        "kept::test_a_tampered_folder_is_not_trusted",
    ),
    Edit(
        "the checksum of a tally",
        "if kept.shard != number or kept.checksum != _checksum(plan, number, kept.count):",
        "if False:",
        "kept::test_a_tampered_folder_is_not_trusted",
    ),
    Edit(
        "counts that fit their shard",
        "            reason = fault(plan, number, kept.count)",
        '            reason = ""',
        "kept::test_counts_that_do_not_fit_are_named_even_with_the_right_checksum",
    ),
    Edit(
        "never writing over what others wrote",
        'if not data.startswith(there.rstrip(b"\\0")):',
        "if False:",
        "kept::test_an_annotated_log_is_left_alone",
    ),
    Edit(
        "checking a bot's answer",
        "if code not in state.legal():",
        "if False:",
        "bots::test_a_bot_that_does_not_play_is_reported",
    ),
    # Bots
    Edit(
        "the one-way hash before a bot's stream",
        "streams = [bot_stream(chance.seed, seat + 1) for",
        'streams = [chance.stream(f"bot {seat + 1}") for',
        "handed::test_what_a_bot_is_handed_does_not_lead_to_the_seed",
    ),
    Edit(
        "the null seed in what programs are sent",
        "        event = msgspec.structs.replace(event, seed=None)\n",
        "        pass\n",
        "programs::test_what_a_bot_gets_does_not_have_the_seed",
    ),
    Edit(
        "imports that do not stay in the current folder",
        "        for folder in _FOLDERS:\n            if folder in sys.path:",
        "        for folder in ():\n            if folder in sys.path:",
        "bots::test_this_folder_is_looked_in_only_for_what_is_named",
    ),
    Edit(
        "ending everything that a program started",
        "    _end_all(pid)\n",
        "    os.kill(pid, signal.SIGKILL)\n",
        "programs::test_a_bad_bot_is_named_for_its_fault",
    ),
    Edit(
        "adopting what a program leaves behind",
        "    _adopt()\n",
        "",
        "programs::test_a_bad_bot_is_named_for_its_fault",
    ),
    Edit(
        "ending programs with their run",
        "    while os.getppid() == parent:\n        for fd",
        "    poller.unregister(control)\n    while True:\n        for fd",
        "programs::test_a_run_that_is_killed_leaves_no_program",
    ),
    Edit(
        "output of a program without a question",
        "        if self._rest:\n            text",
        "        if False:\n            text",
        "programs::test_an_answer_is_a_step_in_words",
    ),
    Edit(
        "a clean process for the next game",
        "            self._program.hear_nothing(0)\n",
        "            pass\n",
        "programs::test_what_is_printed_after_the_last_question_is_not_the_next_game_s",
    ),
    # Twins and threads
    Edit(
        "the lock of a game that threads share",
        "self._lock: Any = RLock()",
        'self._lock: Any = import_module("contextlib").nullcontext()',
        "twins::test_threads_may_share_a_game",
    ),
    Edit(
        "the same words for wrong kinds in both builds",
        "        typed(steps, int)\n",
        "",
        "twins::test_wrong_kinds_are_refused_in_the_same_words",
    ),
    Edit(
        "the class of a twin",
        "made = cls.__new__(cls, fold, events, chance)",
        "made = Game.__new__(Game, fold, events, chance)",
        "twins::test_a_twin_of_a_subclass_is_of_that_subclass",
    ),
    # Runs, workers and clusters
    Edit(
        "reporting the error of a plug-in as one",
        "        failure = blamed(error)\n        if failure is None:\n            raise\n        complain(",
        "        failure = None\n        if failure is None:\n            raise\n        complain(",
        "plugins::test_an_error_of_a_plug_in_is_told_as_one",
    ),
    Edit(
        "reporting the error of a plug-in as one, in a worker",
        "    with blaming():\n        return function(item)",
        "    return function(item)",
        "plugins::test_an_error_of_a_plug_in_is_told_as_one",
    ),
    Edit(
        "giving up a cluster that shows no sign of life",
        "                if pulse is not None:\n                    pulse.check()\n",
        "",
        "workers::test_a_cluster_without_a_sign_of_life_is_given_up",
    ),
    Edit(
        "a time for a cluster to answer",
        "wait([done], timeout=seconds)",
        "wait([done])",
        "workers::test_a_call_that_never_returns_is_given_up",
    ),
    Edit(
        "the limit of jobs",
        "not 1 <= jobs <= MAX_JOBS",
        "not 1 <= jobs",
        "workers::test_too_many_jobs",
    ),
    Edit(
        "never more workers than logs",
        "with given(executor, min(jobs, len(first))) as used:",
        "with given(executor, jobs) as used:",
        "endings::test_there_are_never_more_workers_than_work",
    ),
    Edit(
        "a process of its own for a bot that may never return",
        "apart=any(map(is_custom, run.plan.bots))",
        "apart=False",
        "endings::test_a_bot_that_never_returns_is_left",
    ),
    Edit(
        "ending a worker whose bot never returns to Python",
        "faulthandler.dump_traceback_later(seconds + MARGIN, exit=True, file=_worker[0])",
        "pass",
        "timed::test_a_bot_that_never_returns_to_python_ends_its_worker",
    ),
    Edit(
        "the time of a Python bot for a choice",
        "        signal.setitimer(signal.ITIMER_REAL, seconds)\n",
        "",
        "timed::test_a_python_bot_has_its_time_for_a_choice",
    ),
    Edit(
        "limits that nothing can be drawn below",
        'raise ValueError(f"n must be from 1 to 2^32, not {n}")\n        drawn = advance(self, 1)',
        "pass\n        drawn = advance(self, 1)",
        "chance::test_what_nothing_can_be_drawn_below",
    ),
    # Terminals and shells
    Edit(
        "sending Ctrl-C again where Python would lose it",
        "            sys.unraisablehook = _again\n",
        "",
        "endings::test_ctrl_c_is_not_lost_where_python_can_raise_no_error",
    ),
    Edit(
        "the widest screen",
        "width = min(max(80, size.columns), MAX_WIDTH)",
        "width = max(80, size.columns)",
        "endings::test_the_widest_screen",
    ),
    Edit(
        "the echo of a terminal after SIGTERM",
        "    signal.signal(signal.SIGTERM, _terminated)\n",
        "",
        "endings::test_a_terminal_has_its_echo_after_sigterm",
    ),
    Edit(
        "leaving a terminal that is gone",
        "if any(what & (select.POLLHUP | select.POLLERR) for _, what in found):",
        "if False:",
        "follow::test_it_ends_when_its_terminal_is_gone",
    ),
    Edit(
        "completion that waits for no pipe",
        'if path in (None, "-") or not os.path.isfile(path):',
        'if path in (None, "-"):',
        "endings::test_completion_does_not_wait_for_a_pipe",
    ),
    Edit(
        "cells that are no formulas",
        'if text.lstrip().startswith(("=", "+", "-", "@")) else safe(text)',
        "if False else safe(text)",
        "stats::test_no_cell_is_a_formula",
    ),
)
"""Every protection with its edit and its test."""

SHORT = EDITS[::10]


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Make every edit, or at a smaller scale some of them; each test has to fail."""
    tree = _copied(scratch / "tree")
    stamps = itertools.count(1)
    edits = EDITS if scale >= 1 else SHORT
    code, said = _tested(tree, *dict.fromkeys(edit.test for edit in edits))
    assert code == 0, f"tests fail without any edit: {said}"
    found = {edit.protection: how_it_failed(edit, tree, stamps) for edit in edits}
    figures: dict[str, int | str] = {"protections edited out, and missed": len(found)}
    if scale >= 1:
        figures |= {f"  without {protection}": how for protection, how in found.items()}
    return figures


def _copied(tree: Path) -> Path:
    """Return a copy of everything that tests need, without compiled files."""
    tree.mkdir()
    ignored = shutil.ignore_patterns(
        "__pycache__", "*.so", ".venv", ".git", "build", ".*_cache", ".hypothesis"
    )
    return Path(shutil.copytree(ROOT, tree, ignore=ignored, dirs_exist_ok=True))


def place_of(edit: Edit, tree: Path = ROOT) -> Path:
    """Return the module that has an edit's source; AssertionError unless it stands in one place."""
    found = {
        path: count
        for path in (tree / "sintra").rglob("*.py")
        if (count := path.read_text().count(edit.source))
    }
    assert list(found.values()) == [1], f"{edit.protection}: its source stands in {found}"
    return next(iter(found))


def file_of(module: str) -> str:
    """Return the file of a test module, wherever in `tests/` it is."""
    (found,) = (ROOT / "tests").rglob(f"test_{module}.py")
    return found.relative_to(ROOT).as_posix()


def how_it_failed(edit: Edit, tree: Path, stamps: Iterator[int]) -> str:
    """What the test said without the protection; AssertionError where it said nothing."""
    path = place_of(edit, tree)
    text = path.read_text()
    try:
        _write(path, text.replace(edit.source, edit.instead), stamps)
        code, said = _tested(tree, edit.test)
    finally:
        _write(path, text, stamps)
    assert code != 0, f"{edit.test} does not miss: {edit.protection}"
    assert code == 1, f"{edit.test} broke instead of failing, without {edit.protection}: {said}"
    return said


def _write(path: Path, text: str, stamps: Iterator[int]) -> None:
    """Write a module so that Python sees that it is another: by a time that no other version has."""
    path.write_text(text)
    os.utime(path, (stamp := next(stamps), stamp))


def _tested(tree: Path, *tests: str) -> tuple[int, str]:
    """How tests ended in a copy of the tree: pytest's exit code, and what it complained of first."""
    paths = [
        "::".join((file_of(module), name)) for module, _, name in (test.partition("::") for test in tests)
    ]
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *paths]
    environment = {**os.environ, "PYTHONPATH": str(tree), "SINTRA_PURE": "1"}
    environment["SINTRA_PATIENCE"] = str(RUN_PATIENCE)
    with subprocess.Popen(
        words, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as done:
        try:
            out, _ = done.communicate(timeout=PATIENCE * len(tests))
        except subprocess.TimeoutExpired:
            raise AssertionError(
                f"{', '.join(tests)}: no end after {PATIENCE * len(tests)} seconds"
            ) from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(done.pid, signal.SIGKILL)  # with all that it started
    said = re.findall(r"^E +(.*)$", out, re.MULTILINE) or [out[-500:]]
    return done.returncode, re.sub(r"/\S*/pytest-of-[^/]*/[^/]*/", "", said[0])[:200]
