//! Figures: sizes, legends, events, orders and digests.

use crate::picture::{Axis, Figure, FigureError, Panel, Series, Triangle};

fn wave(scale: f64) -> Vec<(f64, f64)> {
    (0..=50).map(|k| 0.1 * f64::from(k)).map(|t| (t, scale * t.cos())).collect()
}

fn panel(series: Vec<Series>) -> Panel {
    Panel::over_time("Deflection", Axis::linear("w/L"), series)
}

/// The digest that a figure stores.
fn digest(series: Vec<Series>) -> String {
    let svg = Figure::new(vec![panel(series)]).svg().unwrap();
    svg.split("<metadata>points ").nth(1).and_then(|rest| rest.split('<').next()).unwrap().to_owned()
}

#[test]
fn a_figure_fits_the_page_and_has_its_texts() {
    let two = vec![Series::line("exact", 6, wave(1.0)).dashed(), Series::marks("h = 0.1 s", 0, wave(1.0)).open()];
    let svg = Figure::new(vec![panel(two)]).title("a < b").caption("The caption.").svg().unwrap();
    assert!(svg.contains(r#"width="800""#) && svg.contains(r#"viewBox="0 0 800 "#), "{svg}");
    assert!(svg.contains("max-width:100%") && svg.contains("a &lt; b") && svg.contains(">The caption.</text>"));
    // The line and its sample in the legend; open markers.
    assert_eq!(svg.matches(r#"stroke-dasharray="7 4""#).count(), 2);
    assert_eq!(svg.matches("<circle").count(), 52);
    assert!(svg.contains(">exact</text>") && svg.contains(">time t [s]</text>"));
    let one = Figure::new(vec![panel(vec![Series::line("alone", 0, wave(1.0))])]).svg().unwrap();
    assert!(!one.contains(">alone<"), "the label of the axis is enough for one line");
    assert!(matches!(Figure::new(vec![]).svg(), Err(FigureError::Empty)));
    assert!(matches!(Figure::new(vec![panel(vec![])]).svg(), Err(FigureError::Empty)));
}

#[test]
fn a_line_is_interrupted_where_a_value_is_missing() {
    let mut ball = wave(1.0);
    ball.insert(20, (f64::NAN, f64::NAN));
    let svg = Figure::new(vec![panel(vec![Series::line("z", 0, ball)]).event(1.95, "impact")]).svg().unwrap();
    let path = svg.lines().find(|line| line.contains("#0072B2")).unwrap();
    assert_eq!(path.matches('M').count(), 2, "{path}");
    assert!(svg.contains(">impact</text>"));
}

#[test]
fn each_order_is_marked_once() {
    let points = |order: i32| (1..=5).map(|k| 0.5f64.powi(k)).map(|h| (h, h.powi(order))).collect::<Vec<_>>();
    let mut panel = Panel::new(
        "",
        Axis::log("step size h [s]"),
        Axis::log("error"),
        vec![Series::marked("a", 0, points(2)), Series::marked("b", 1, points(2)), Series::marked("c", 2, points(4))],
    );
    panel.triangles = [(2.0, 1.0), (2.0, 0.5), (4.0, 1.0)]
        .map(|(slope, factor)| Triangle { x: 0.25, x_end: 0.5, y: factor * 0.25f64.powf(slope), slope })
        .to_vec();
    let svg = Figure::new(vec![panel]).svg().unwrap();
    assert_eq!([">2</text>", ">4</text>"].map(|text| svg.matches(text).count()), [1, 1]);
}

#[test]
fn the_digest_is_that_of_the_points() {
    let line = |scale: f64| Series::line("w", 0, wave(scale));
    let first = digest(vec![line(1.0), line(0.5)]);
    assert_eq!(first, digest(vec![line(1.0 + 1e-9), line(0.5)]), "round-off does not change it");
    assert_ne!(first, digest(vec![line(1.0), line(0.51)]));
    assert_ne!(first, digest(vec![line(1.0), line(0.5).dashed()]));
    assert_ne!(first, digest(vec![line(1.0), Series { style: 1, ..line(0.5) }]));
}
