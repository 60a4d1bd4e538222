//! The expander never panics: it is fed a great many damaged declarations.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use lie_compiler::{Code, Source, compile};

use crate::{expand, samples};

/// The number of damaged declarations from each seed, unless `DAMAGED_DECLARATIONS` sets another one.
const COUNT: u64 = 800;

fn count() -> u64 {
    std::env::var("DAMAGED_DECLARATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(COUNT)
}

/// Where the random numbers begin; each in a thread of its own.
const SEEDS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03];

/// xorshift64*: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).unwrap_or(1);
        usize::try_from(self.next() % limit).unwrap_or(0)
    }
}

/// A token to put in the place of another.
fn foreign(random: &mut Random) -> TokenTree {
    const WORDS: &[&str] = &[
        "self",
        "mut",
        "async",
        "f64",
        "Velocity",
        "SO4",
        "Vec",
        "impl",
        "const",
        "struct",
        "enum",
        "fn",
        "q",
        "__x",
        "over",
        "on",
        "at",
        "N",
        "tip",
        "System",
        "force",
        "configuration",
        "_",
        "for",
        "if",
        "loop",
        "cfg",
        "Box",
    ];
    match random.below(4) {
        0 => {
            let characters = ['&', '<', '>', '#', '!', '.', ',', ';', ':', '-', '=', '*', '|', '?', '\''];
            let spacing = if random.below(2) == 0 { Spacing::Alone } else { Spacing::Joint };
            TokenTree::Punct(Punct::new(characters[random.below(characters.len())], spacing))
        }
        1 => {
            let number = [0, 1, 3, 7, usize::MAX][random.below(5)];
            TokenTree::Literal(match random.below(3) {
                0 => Literal::f64_unsuffixed(0.5),
                1 => Literal::string("x"),
                _ => Literal::usize_unsuffixed(number),
            })
        }
        2 => {
            let delimiters = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];
            TokenTree::Group(Group::new(delimiters[random.below(4)], TokenStream::new()))
        }
        _ => TokenTree::Ident(Ident::new(WORDS[random.below(WORDS.len())], Span::call_site())),
    }
}

/// Another token of the same kind: such damage reaches the later stages.
fn alike(token: &TokenTree, neighbours: &[TokenTree], random: &mut Random) -> TokenTree {
    let kind = std::mem::discriminant(token);
    if random.below(2) == 0 {
        let alike: Vec<_> = neighbours.iter().filter(|other| std::mem::discriminant(*other) == kind).collect();
        return alike[random.below(alike.len())].clone();
    }
    (0..8).map(|_| foreign(random)).find(|other| std::mem::discriminant(other) == kind).unwrap_or_else(|| token.clone())
}

/// The number of tokens, those in groups included.
fn size(tokens: &[TokenTree]) -> usize {
    tokens
        .iter()
        .map(|token| match token {
            TokenTree::Group(group) => 1 + size(&group.stream().into_iter().collect::<Vec<_>>()),
            _ => 1,
        })
        .sum()
}

/// Damages the token at `position`, counted through groups.
fn damage(tokens: TokenStream, position: &mut usize, random: &mut Random) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::with_capacity(tokens.len() + 1);
    let mut index = 0;
    while index < tokens.len() {
        let token = tokens[index].clone();
        if *position == 0 {
            *position = usize::MAX;
            match random.below(12) {
                0 => {}
                1 => out.extend([token.clone(), token]),
                2 => out.extend([foreign(random), token]),
                3 if index + 1 < tokens.len() => {
                    out.extend([tokens[index + 1].clone(), token]);
                    index += 1;
                }
                4 => out.push(tokens[random.below(tokens.len())].clone()),
                5 => out.push(foreign(random)),
                _ => out.push(alike(&token, &tokens, random)),
            }
        } else {
            if *position != usize::MAX {
                *position -= 1;
            }
            out.push(match token {
                TokenTree::Group(group) => {
                    TokenTree::Group(Group::new(group.delimiter(), damage(group.stream(), position, random)))
                }
                token => token,
            });
        }
        index += 1;
    }
    out.into_iter().collect()
}

/// A declaration cut off in the middle, if what is left lexes.
fn truncated(random: &mut Random) -> Option<TokenStream> {
    let text = samples::ALL[random.below(samples::ALL.len())];
    let mut end = random.below(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut text = text[..end].to_owned();
    // Most of what is cut off lexes only with the open braces closed.
    let open = text.matches('{').count().saturating_sub(text.matches('}').count());
    text.push_str(&"}".repeat(open));
    text.parse().ok()
}

#[test]
fn never_panics() {
    std::thread::scope(|scope| {
        for seed in SEEDS {
            scope.spawn(move || damage_from(seed));
        }
    });
}

fn damage_from(seed: u64) {
    let samples: Vec<(TokenStream, usize)> = samples::ALL
        .iter()
        .map(|sample| {
            let tokens: TokenStream = sample.parse().expect("the samples lex");
            let size = size(&tokens.clone().into_iter().collect::<Vec<_>>());
            (tokens, size)
        })
        .collect();
    let mut random = Random(seed);
    let mut modules = 0_u64;
    for number in 0..count() {
        let input = if number % 10 == 0 {
            truncated(&mut random).unwrap_or_default()
        } else {
            let (tokens, size) = &samples[random.below(samples.len())];
            let mut input = tokens.clone();
            for _ in 0..=random.below(3) {
                input = damage(input, &mut random.below(*size), &mut random);
            }
            input
        };
        let arguments = match random.below(20) {
            0 => [foreign(&mut random)].into_iter().collect(),
            // The values on dual numbers are emitted as well.
            1 => quote::quote!(derivative_check),
            _ => TokenStream::new(),
        };
        // Every fourth is looked at twice, to know what share the parser sees through.
        if number % 4 == 1 {
            modules += u64::from(syn::parse2::<syn::ItemMod>(input.clone()).is_ok());
        }
        let kept = input.clone();
        let errors = compile(Source::Tokens { arguments, module: input }).err();
        let is_bug = errors.is_some_and(|errors| errors.errors().iter().any(|error| error.code == Code::Internal));
        assert!(!is_bug, "the compiler panicked on declaration {number} from {seed:#x}: {kept}");
    }
    // Damage that no parser sees through tests nothing.
    assert!(modules > count() / 4 / 7, "only {modules} of {} are modules", count() / 4);
}

#[test]
fn samples_are_valid() {
    for sample in samples::ALL {
        let expansion = expand(TokenStream::new(), sample.parse().expect("the samples lex"));
        let file: syn::File = syn::parse2(expansion).expect("the expansion parses");
        let errors: Vec<_> = file.items.iter().filter(|item| matches!(item, syn::Item::Macro(_))).collect();
        assert!(errors.is_empty(), "{}", quote::quote!(#(#errors)*));
    }
}
