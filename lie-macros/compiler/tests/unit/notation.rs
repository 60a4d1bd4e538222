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

/// A superscript has two parts, also if the exponent is negative.
#[test]
fn exponents_are_one_element() {
    let file = "pub mod m { #[configuration] pub struct Q { pub x: f64 }
        #[kinetic_energy] fn t(v: &Velocity) -> f64 { 0.5 * v.x * v.x } }";
    let model = model(file);
    let mut e = Expressions::default();
    let place = crate::expr::MemberPosition { member: 0, element: 0 };
    let x = e.leaf(crate::expr::Leaf::Configuration(place, 0), Type::SCALAR);
    let sine = e.function(Function::Sin, x);
    let inverse = e.power(sine, -2);
    let line = Notation::of(&e, &model, Vec::new()).line(inverse).expect("it is short");
    assert!(line.ends_with("<mrow><mo>−</mo><mn>2</mn></mrow></msup>"), "{line}");
}

/// The parts of a struct of groups, the elements of arrays and the items of lists have different symbols.
#[test]
fn symbols_are_unique() {
    let file = "pub mod m {
        pub struct Body { pub attitude: SO3, pub place: R3, pub wheel: SO3 }
        #[configuration] pub struct Q { pub body: Body }
        #[parameters] pub struct P { pub mass: [f64; 2], pub springs: Vec<f64> }
        #[kinetic_energy] fn t(p: &P, v: &Velocity) -> f64 {
            0.5 * p.mass[0] * v.body.place.norm_squared() + p.mass[1] * (v.body.attitude + v.body.wheel).norm_squared()
        } }";
    let model = model(file);
    let place = crate::expr::MemberPosition { member: 0, element: 0 };
    let at = |index, constant, wrap| crate::expr::Subscript { index, length: 0, constant, divisor: 1, wrap };
    let item = |at| crate::expr::Leaf::Item { field: 1, element: 0, at, sure: true };
    for (leaf, expected) in [
        (crate::expr::Leaf::Configuration(place, 0), "Rbody.attitude"),
        (crate::expr::Leaf::Configuration(place, 1), "body.place"),
        (crate::expr::Leaf::Configuration(place, 2), "Rbody.wheel"),
        (crate::expr::Leaf::Velocity(place, 2), "ωbody.wheel"),
        (crate::expr::Leaf::Acceleration(place, 1), "body.place¨"),
        (crate::expr::Leaf::Parameter { field: 0, element: 0 }, "mass[0]"),
        (crate::expr::Leaf::Parameter { field: 0, element: 1 }, "mass[1]"),
        (item(at(1, 0, crate::expr::Wrap::Never)), "springs[i]"),
        (item(at(2, -1, crate::expr::Wrap::Never)), "springs[2i−1]"),
        (item(at(1, 1, crate::expr::Wrap::Around)), "springs[(i+1) mod N]"),
    ] {
        assert_eq!(plain(&symbol(&model, leaf)), expected);
    }
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
