//! Prints the measures of folders, and with `--sentences` the sentences at fault.
//!
//! `cargo run -p style -- lie-runtime/src/group --sentences`

use std::path::Path;

use style::{Measures, Sentence, faults, replaced, sentences_below};

fn main() {
    let (options, folders): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    println!(" words sentences  what  that-of  tell  modal  inverted%  long%  replaced");
    for folder in &folders {
        let sentences = sentences_below(Path::new(folder));
        let m = Measures::of(&sentences);
        println!(
            "{:6} {:9} {:5.1} {:8.1} {:5.1} {:6.1} {:10.1} {:6.1} {:9}  {folder}",
            m.words,
            m.sentences,
            m.per_thousand_words(m.what),
            m.per_thousand_words(m.that_of),
            m.per_thousand_words(m.tell),
            m.per_thousand_words(m.modal),
            m.per_cent_of_sentences(m.inverted),
            m.per_cent_of_sentences(m.long),
            sentences.iter().map(|sentence| replaced(sentence).len()).sum::<usize>(),
        );
        if options.iter().any(|option| option == "--sentences") {
            sentences.iter().for_each(report);
        }
    }
}

/// Prints a sentence with its faults.
fn report(sentence: &Sentence) {
    let replaced = replaced(sentence).into_iter().map(|(phrase, _)| phrase);
    let faults: Vec<&str> = faults(sentence).into_iter().chain(replaced).collect();
    if !faults.is_empty() {
        println!("{}:{}: [{}] {}", sentence.file.display(), sentence.line, faults.join(", "), sentence.text());
    }
}
