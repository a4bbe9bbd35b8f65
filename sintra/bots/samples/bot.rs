//! A bot in Rust, without a JSON crate: steps are the strings in "legal".
//! rustc -O -o bot bot.rs
use std::io::{self, BufRead, Write};

/// Return the number after a key.
fn number(line: &str, key: &str) -> u64 {
    let after = line.split(&format!("\"{key}\":")).nth(1).unwrap_or("0");
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// Return the strings of the list of legal steps.
fn legal(line: &str) -> Vec<&str> {
    let list = line.split("\"legal\":[").nth(1).unwrap_or("");
    let list = list.split(']').next().unwrap_or("");
    list.split('"').skip(1).step_by(2).collect()
}

fn main() {
    let mut state: u64 = 1;
    let mut below = |seed: Option<u64>, n: u64| {
        state = seed.unwrap_or(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
        (state >> 33) % n
    };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if line.starts_with("{\"type\":\"hello\"") {
            below(Some(number(&line, "seed")), 1); // a game begins
        } else if line.starts_with("{\"type\":\"choose\"") {
            let steps = legal(&line); // our turn: one line of words is the answer
            let step = steps[below(None, steps.len() as u64) as usize];
            if writeln!(io::stdout(), "{step}").and_then(|()| io::stdout().flush()).is_err() {
                break;
            }
        }
    }
}
