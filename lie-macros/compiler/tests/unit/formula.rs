//! Tests of `backend::text::formula`.

use super::plain;

#[test]
fn formulas_are_one_line_of_text() {
    for (mathml, text) in [
        ("<mo>−</mo><mi>m</mi><mspace width=\"0.22em\"></mspace><mi>g</mi>", "-m g"),
        ("<mi>a</mi><mo>−</mo><mi>b</mi><mo>&lt;</mo><mn>1</mn>", "a - b < 1"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a + b)/2"),
        ("<msup><mrow><msub><mi>R</mi><mi>top</mi></msub></mrow><mi>T</mi></msup>", "R_top^T"),
        ("<msup><mi>R</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup>", "R^-1"),
        ("<mover><mi>x</mi><mo>¨</mo></mover><mo>&#xD7;</mo><mover><mi>y</mi><mo>˙</mo></mover>", "x'' × y'"),
        ("<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mi>a</mi></mtd></mtr></mtable><mo>]</mo>", "[1, a]"),
        (
            "<mo>{</mo><mtable columnalign=\"left\"><mtr><mtd><mi>a</mi></mtd><mtd><mtext>if </mtext><mi>c</mi></mtd></mtr>\
             <mtr><mtd><mn>0</mn></mtd><mtd><mtext>else</mtext></mtd></mtr></mtable>",
            "{a if c; 0 else}",
        ),
    ] {
        assert_eq!(plain(mathml), text);
    }
}
