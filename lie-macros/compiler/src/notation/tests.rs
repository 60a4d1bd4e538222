//! Formulas of small expressions.

use proc_macro2::TokenStream;

use super::*;

fn model(source: &str) -> Model {
    crate::syntax::parse(TokenStream::new(), source.parse().expect("the sample lexes"))
        .unwrap_or_else(|rejection| panic!("the sample has no errors: {}", rejection.tokens()))
        .model
}

/// A formula without its markup, and with tables as lists.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut open: Vec<&str> = Vec::new();
    while let Some((before, after)) = rest.split_once('<') {
        out += before;
        let (tag, after) = after.split_once('>').expect("tags are closed");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "tags are nested in {text}"),
            None => open.push(tag.split(' ').next().unwrap_or(tag)),
        }
        out += match tag {
            "/mspace" => " ",
            "/mtr" => ";",
            "msup" => "^{",
            "/msup" => "}",
            "/mfrac" => " fraction",
            _ => "",
        };
        rest = after;
    }
    assert!(open.is_empty(), "{text}");
    out + rest
}

/// Signs stand outside of products, positive terms come first, and sums in products are in parentheses.
#[test]
fn signs_and_parentheses_are_where_they_belong() {
    let file = "pub mod m { #[configuration] pub struct Q { pub x: f64, pub y: f64 }
        #[kinetic_energy] fn t(v: &Velocity) -> f64 { 0.5 * (v.x * v.x + v.y * v.y) } }";
    let model = model(file);
    let mut e = Expressions::default();
    let leaf = |e: &mut Expressions, member: u32| {
        let place = crate::expr::MemberPosition { member, element: 0 };
        e.leaf(crate::expr::Leaf::Configuration(place, 0), Type::SCALAR)
    };
    let (x, y) = (leaf(&mut e, 0), leaf(&mut e, 1));
    let (sum, minus) = (e.add(x, y), e.neg(y));
    let product = e.scale(minus, sum);
    let difference = e.add(product, x);
    let squared = e.scale(sum, sum);
    let sine = e.function(Function::Sin, difference);
    let mut notation = Notation::of(&e, &model, Vec::new());
    let mut line = |node| plain(&notation.line(node).expect("it is short"));
    assert_eq!(line(sum), "x+y");
    assert_eq!(line(product), "−y (x+y)");
    assert_eq!(line(difference), "x−y (x+y)");
    assert_eq!(line(squared), "(x+y) (x+y)");
    assert_eq!(line(sine), "sin(x−y (x+y))");
}

/// A formula that is too long for a line is not printed.
#[test]
fn long_lines_are_left_out() {
    let file = "pub mod m { #[configuration] pub struct Q { pub x: f64 }
        #[kinetic_energy] fn t(v: &Velocity) -> f64 { 0.5 * v.x * v.x } }";
    let model = model(file);
    let mut e = Expressions::default();
    let place = crate::expr::MemberPosition { member: 0, element: 0 };
    let mut node = e.leaf(crate::expr::Leaf::Configuration(place, 0), Type::SCALAR);
    for _ in 0..12 {
        let sine = e.function(Function::Sin, node);
        node = e.scale(sine, node);
    }
    assert!(Notation::of(&e, &model, Vec::new()).line(node).is_none());
}
