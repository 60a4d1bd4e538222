//! Frequencies of words and forms of sentences, and their limits.

use crate::Sentence;

/// Counts over sentences.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measures {
    /// Number of sentences.
    pub sentences: usize,
    /// Number of words.
    pub words: usize,
    /// `what`, `whatever`.
    pub what: usize,
    /// `that of`, `those of`, `one of`, `ones of`.
    pub that_of: usize,
    /// Forms of `tell` and `say`.
    pub tell: usize,
    /// `can`, `must`, `should`.
    pub modal: usize,
    /// Sentences that begin with a preposition or a relative pronoun.
    pub inverted: usize,
    /// Sentences of more than 30 words.
    pub long: usize,
}

/// Upper limits: per 1000 words, or in per cent of the sentences.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// `what` per 1000 words.
    pub what: f64,
    /// `that of` per 1000 words.
    pub that_of: f64,
    /// `tell` per 1000 words.
    pub tell: f64,
    /// Per cent of sentences that begin with a preposition or a relative pronoun.
    pub inverted: f64,
    /// Per cent of sentences of more than 30 words.
    pub long: f64,
}

impl Limits {
    /// The limits of doc comments and messages.
    pub const SOURCE: Self = Self { what: 2.0, that_of: 1.0, tell: 1.0, inverted: 3.0, long: 10.0 };

    /// The lower limit of `can`, `must`, `should` per 1000 words on pages of the book.
    pub const MODAL_ON_PAGES: f64 = 5.0;
}

/// Words with which a sentence should not begin.
const INVERTED: [&str; 9] = ["of", "what", "where", "with", "without", "beside", "along", "beyond", "so"];

/// Forms of the verbs of speaking.
const TELL: [&str; 6] = ["tell", "tells", "told", "say", "says", "said"];

/// The faults of one sentence, by name.
#[must_use]
pub fn faults(sentence: &Sentence) -> Vec<&'static str> {
    let one = Measures::of([sentence]);
    [("what", one.what), ("that of", one.that_of), ("tell", one.tell), ("inverted", one.inverted), ("long", one.long)]
        .into_iter()
        .filter_map(|(name, count)| (count > 0).then_some(name))
        .collect()
}

impl Measures {
    /// The counts over some sentences.
    pub fn of<'a>(sentences: impl IntoIterator<Item = &'a Sentence>) -> Self {
        let mut sum = Self::default();
        for sentence in sentences {
            let lower: Vec<String> = sentence.words.iter().map(|word| word.to_lowercase()).collect();
            let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
            let count = |list: &[&str]| lower.iter().filter(|word| is(word, list)).count();
            sum.sentences += 1;
            sum.words += lower.len();
            sum.what += count(&["what", "whatever"]);
            sum.that_of += lower
                .windows(2)
                .filter(|pair| is(&pair[0], &["that", "those", "one", "ones"]) && pair[1] == "of")
                .count();
            sum.tell += count(&TELL);
            sum.modal += count(&["can", "must", "should"]);
            sum.inverted += usize::from(lower.first().is_some_and(|word| is(word, &INVERTED)));
            sum.long += usize::from(lower.len() > 30);
        }
        sum
    }

    /// Occurrences per 1000 words.
    #[must_use]
    pub fn per_thousand_words(&self, count: usize) -> f64 {
        1000.0 * count as f64 / self.words.max(1) as f64
    }

    /// Per cent of the sentences.
    #[must_use]
    pub fn per_cent_of_sentences(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.sentences.max(1) as f64
    }

    /// The measures above their limits, each with its value. A single occurrence is below every limit.
    #[must_use]
    pub fn above(&self, limits: Limits) -> Vec<String> {
        let by_words = |count| if count > 1 { self.per_thousand_words(count) } else { 0.0 };
        let by_sentences = |count| if count > 1 { self.per_cent_of_sentences(count) } else { 0.0 };
        [
            ("what(ever) per 1000 words", by_words(self.what), limits.what),
            ("that/those/one of per 1000 words", by_words(self.that_of), limits.that_of),
            ("tell/say per 1000 words", by_words(self.tell), limits.tell),
            ("% of sentences that begin with Of, What, With, ...", by_sentences(self.inverted), limits.inverted),
            ("% of sentences over 30 words", by_sentences(self.long), limits.long),
        ]
        .into_iter()
        .filter(|(_, value, limit)| value > limit)
        .map(|(name, value, limit)| format!("{value:.1} {name} (limit {limit})"))
        .collect()
    }
}
