//! The functions in C that kernels call in addition to those of `<math.h>`.
//!
//! They are computed with the same formulas and the same coefficients as in the runtime (`scalar::singular`, `S3::log`), so that C and Rust
//! give equal bits.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::expr::{Rotation, Singular};

/// A function in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// An integer power.
    Power(i32),
    /// A derivative of a singular function.
    Singular(Singular, u8),
    /// The logarithm of a rotation.
    Log(Rotation),
    /// A polynomial with eight coefficients.
    Eight,
    /// A polynomial with sixteen coefficients.
    Sixteen,
    /// The distance from a constant with two parts.
    Distance,
    /// c_k between the power series and the closed form.
    StumpffMiddle(u8, u8),
    /// c_k by closed forms.
    StumpffFar(u8, u8),
    /// γ between the power series and the closed form.
    GammaMiddle(u8),
    /// γ by closed forms.
    GammaFar(u8),
}

/// cos(x) / (π²/4 − z).
const COSINE: [f64; 16] = [
    0.405_284_734_569_351_1,
    -0.038_386_651_209_726_18,
    0.001_329_340_193_849_494,
    -2.413_417_706_299_238_7e-5,
    2.704_911_813_978_072_5e-7,
    -2.059_661_415_199_472_6e-9,
    1.135_376_148_784_444_4e-11,
    -4.741_187_392_368_806e-14,
    1.551_832_817_710_638_4e-16,
    -4.088_463_422_858_478e-19,
    8.857_173_830_097_717e-22,
    -1.605_639_324_246_240_4e-24,
    2.471_526_355_891_183_2e-27,
    -3.270_610_251_703_125e-30,
    3.760_631_121_421_057e-33,
    -3.792_049_616_017_505e-36,
];
/// sin(x) / x / (π² − z).
const SINE: [f64; 16] = [
    0.101_321_183_642_337_78,
    -0.006_620_881_685_705_293,
    0.000_173_507_627_867_944_53,
    -2.523_411_226_290_386e-6,
    2.353_900_791_429_502e-8,
    -1.533_091_307_063_625e-10,
    7.377_507_107_630_339e-13,
    -2.732_192_833_987_491e-15,
    8.031_164_891_399_394e-18,
    -1.919_736_065_652_471e-20,
    3.805_425_137_658_989e-23,
    -6.357_401_008_369_676e-26,
    9.073_238_640_133_752e-29,
    -1.119_104_871_615_755_8e-31,
    1.204_852_448_564_539_6e-34,
    -1.142_152_464_361_596_6e-37,
];
/// The power series of γ.
const FULL: [f64; 16] = [
    0.083_333_333_333_333_33,
    0.001_388_888_888_888_889,
    3.306_878_306_878_307e-5,
    8.267_195_767_195_768e-7,
    2.087_675_698_786_81e-8,
    5.284_190_138_687_493e-10,
    1.338_253_653_068_467_9e-11,
    3.389_680_296_322_582_7e-13,
    8.586_062_056_277_845e-15,
    2.174_868_698_558_062e-16,
    5.509_002_828_360_229_5e-18,
    1.395_446_468_581_252_2e-19,
    3.534_707_039_629_467e-21,
    8.953_517_427_037_546e-23,
    2.267_952_452_337_683e-24,
    5.744_790_668_872_202e-26,
];
/// The power series of γ without the poles at (2π)² and (4π)².
const TAIL: [f64; 24] = [
    0.020_007_593_556_872_226,
    2.543_812_068_862_562e-5,
    5.584_568_390_494_415e-8,
    1.408_824_157_476_104_8e-10,
    3.756_716_200_215_798e-13,
    1.028_012_537_536_046e-15,
    2.850_022_129_213_791e-18,
    7.955_575_410_719_845e-21,
    2.228_932_664_553_701_2e-23,
    6.257_471_150_805_773e-26,
    1.758_673_049_290_968e-28,
    4.945_846_950_057_938e-31,
    1.391_382_678_908_088e-33,
    3.915_044_252_645_314_5e-36,
    1.101_726_891_467_141_9e-38,
    3.100_542_691_770_737_3e-41,
    8.726_023_181_210_764e-44,
    2.455_858_682_907_356e-46,
    6.911_862_416_306_981e-49,
    1.945_312_783_014_237e-51,
    5.475_014_621_430_454e-54,
    1.540_926_635_684_348_3e-56,
    4.336_897_035_244_724_5e-59,
    1.220_608_880_100_691_9e-61,
];
/// π² and its rounding error.
const PI_SQUARE: (f64, f64) = (9.869_604_401_089_358, 6.265_295_508_739_711e-16);
/// (2π)² and its rounding error.
const FIRST_POLE: (f64, f64) = (39.478_417_604_357_43, 2.506_118_203_495_884_5e-15);

/// m!, the nearest number.
#[allow(clippy::cast_precision_loss)]
fn factorial(m: u32) -> f64 {
    let exact: u128 = (2..=u128::from(m.min(34))).product();
    (35..=m).fold(exact as f64, |value, i| value * f64::from(i))
}

/// (j + n)! / j!.
fn falling(j: u32, n: u32) -> f64 {
    (1..=n).fold(1.0, |value, i| value * f64::from(j + i))
}

/// The coefficients of dⁿ/dzⁿ c_k.
fn stumpff_series(k: u8, n: u8, length: u32) -> Vec<f64> {
    let (k, n) = (u32::from(k), u32::from(n));
    let coefficient = |j: u32| {
        let sign = if (j + n).is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * falling(j, n) / factorial(2 * (j + n) + k)
    };
    (0..length).map(coefficient).collect()
}

/// The coefficients of the n-th derivative of a power series.
fn derivative(series: &[f64], n: u8, length: u32) -> Vec<f64> {
    (0..length).zip(&series[usize::from(n)..]).map(|(j, coefficient)| falling(j, u32::from(n)) * coefficient).collect()
}

/// Returns the functions, each after those that it calls.
pub(super) fn definitions(helpers: &BTreeSet<Helper>, prefix: &str) -> String {
    let (mut done, mut text) = (BTreeSet::new(), String::new());
    for &helper in helpers {
        define(helper, prefix, &mut done, &mut text);
    }
    text
}

fn define(helper: Helper, prefix: &str, done: &mut BTreeSet<Helper>, text: &mut String) {
    if !done.insert(helper) {
        return;
    }
    for needed in helper.needs() {
        define(needed, prefix, done, text);
    }
    let (name, (arguments, result, body)) = (helper.name(prefix), helper.body(prefix));
    let _ = writeln!(text, "static inline {result} {name}({arguments}) {{");
    for line in body.lines() {
        let _ = writeln!(text, "    {line}");
    }
    text.push_str("}\n\n");
}

impl Helper {
    /// The name in C.
    pub fn name(self, prefix: &str) -> String {
        let name = match self {
            Helper::Power(n) if n < 0 => format!("power_minus_{}", n.unsigned_abs()),
            Helper::Power(n) => format!("power_{n}"),
            Helper::Singular(Singular::Stumpff(k), n) => format!("stumpff_{k}_{n}"),
            Helper::Singular(Singular::Gamma, n) => format!("gamma_{n}"),
            Helper::Log(Rotation::S3) => "log_quaternion".to_owned(),
            Helper::Log(_) => "log_rotation".to_owned(),
            Helper::Eight => "polynomial_8".to_owned(),
            Helper::Sixteen => "polynomial_16".to_owned(),
            Helper::Distance => "distance".to_owned(),
            Helper::StumpffMiddle(k, n) => format!("stumpff_middle_{k}_{n}"),
            Helper::StumpffFar(k, n) => format!("stumpff_far_{k}_{n}"),
            Helper::GammaMiddle(n) => format!("gamma_middle_{n}"),
            Helper::GammaFar(n) => format!("gamma_far_{n}"),
        };
        format!("{prefix}_{name}")
    }

    /// The functions that this one calls.
    fn needs(self) -> Vec<Helper> {
        use Helper::{Distance, Eight, GammaFar, GammaMiddle, Log, Sixteen, StumpffFar, StumpffMiddle};
        match self {
            Helper::Power(_) | Eight | Distance | StumpffFar(0..=2, 0) | GammaFar(_) => vec![],
            Helper::Singular(Singular::Stumpff(k), n) => vec![Eight, StumpffMiddle(k, n), StumpffFar(k, n)],
            Helper::Singular(Singular::Gamma, n) => vec![Eight, GammaMiddle(n), GammaFar(n)],
            Log(Rotation::S3) | Sixteen => vec![Eight],
            Log(_) => vec![Log(Rotation::S3)],
            StumpffMiddle(0 | 1, 0) | GammaMiddle(_) => vec![Distance, Sixteen],
            StumpffMiddle(0, n) => vec![StumpffMiddle(1, n - 1)],
            StumpffMiddle(..) => vec![Sixteen],
            StumpffFar(k, 0) => vec![StumpffFar(k - 2, 0)],
            StumpffFar(0, n) => vec![StumpffFar(1, n - 1)],
            StumpffFar(k, n) => vec![StumpffFar(k + 2, n - 1), StumpffFar(k + 1, n - 1)],
        }
    }

    /// The arguments, the type of the result, and the statements.
    fn body(self, prefix: &str) -> (&'static str, &'static str, String) {
        let name = |helper: Helper| helper.name(prefix);
        let (of_z, real) = ("LIEMECH_REAL z", "LIEMECH_REAL");
        match self {
            Helper::Power(exponent) => ("LIEMECH_REAL x", real, power(exponent)),
            Helper::Singular(function, n) => {
                let (series, middle, [small, limit], far) = match function {
                    Singular::Stumpff(k) => {
                        let series = stumpff_series(k, n, 8);
                        (series, Helper::StumpffMiddle(k, n), [0.25, 10.0], Helper::StumpffFar(k, n))
                    }
                    Singular::Gamma => {
                        (derivative(&FULL, n, 8), Helper::GammaMiddle(n), [0.25, 40.0], Helper::GammaFar(n))
                    }
                };
                let body = format!(
                    "static const LIEMECH_REAL series[8] = {{{}}};\nif (z < {}) {{\n    return {}(series, z);\n}}\n\
                     return z < {} ? {}(z) : {}(z);",
                    list(&series),
                    number(small),
                    name(Helper::Eight),
                    number(limit),
                    name(middle),
                    name(far),
                );
                (of_z, real, body)
            }
            Helper::Log(rotation) => (
                "const LIEMECH_REAL *rotation, LIEMECH_REAL *out",
                "void",
                match rotation {
                    Rotation::S3 => log_quaternion(prefix),
                    _ => log_rotation(prefix),
                },
            ),
            Helper::Eight => ("const LIEMECH_REAL *a, LIEMECH_REAL z", real, EIGHT.to_owned()),
            Helper::Sixteen => {
                let eight = name(Helper::Eight);
                let body = format!(
                    "const LIEMECH_REAL square = z * z;\nconst LIEMECH_REAL fourth = square * square;\n\
                     return {eight}(a + 8, z) * (fourth * fourth) + {eight}(a, z);"
                );
                ("const LIEMECH_REAL *a, LIEMECH_REAL z", real, body)
            }
            Helper::Distance => ("double high, double low, LIEMECH_REAL z", real, DISTANCE.to_owned()),
            Helper::StumpffMiddle(k, n) => (of_z, real, stumpff_middle(k, n, prefix)),
            Helper::StumpffFar(k, n) => (of_z, real, stumpff_far(k, n, prefix)),
            Helper::GammaMiddle(n) => (of_z, real, gamma_middle(n, prefix)),
            Helper::GammaFar(n) => (of_z, real, gamma_far(n)),
        }
    }
}

/// Estrin's scheme.
const EIGHT: &str = "\
const LIEMECH_REAL square = z * z;
const LIEMECH_REAL low = (a[3] * z + a[2]) * square + (a[1] * z + a[0]);
const LIEMECH_REAL high = (a[7] * z + a[6]) * square + (a[5] * z + a[4]);
return high * (square * square) + low;";

const DISTANCE: &str = "\
const LIEMECH_REAL rounded = LIEMECH_C(high);
return (rounded - z) + LIEMECH_C((high - (double)rounded) + low);";

/// Squares and products in the order of `powi`.
fn power(exponent: i32) -> String {
    let (mut rest, mut square, mut product) = (exponent.unsigned_abs(), 1_u32, None);
    let mut text = String::new();
    let factor = |square: u32| if square == 1 { "x".to_owned() } else { format!("x{square}") };
    while rest > 0 {
        if rest % 2 == 1 {
            product = Some(match product {
                None => factor(square),
                Some(product) => format!("{product} * {}", factor(square)),
            });
        }
        rest /= 2;
        if rest > 0 {
            let (next, half) = (2 * square, factor(square));
            let _ = writeln!(text, "const LIEMECH_REAL x{next} = {half} * {half};");
            square = next;
        }
    }
    let product = product.unwrap_or_else(|| number(1.0));
    let value = if exponent < 0 { format!("{} / ({product})", number(1.0)) } else { product };
    text + &format!("return {value};")
}

fn list(values: &[f64]) -> String {
    values.iter().map(|&value| number(value)).collect::<Vec<_>>().join(", ")
}

/// A polynomial with sixteen coefficients.
fn series_of_16(coefficients: &[f64]) -> String {
    format!("static const LIEMECH_REAL series[16] = {{{}}};\n", list(coefficients))
}

fn distance_from((high, low): (f64, f64), prefix: &str) -> String {
    format!("{}({high:?}, {low:?}, z)", Helper::Distance.name(prefix))
}

fn stumpff_middle(k: u8, n: u8, prefix: &str) -> String {
    let sixteen = Helper::Sixteen.name(prefix);
    let (high, low) = PI_SQUARE;
    let zero = |series: &[f64], zero| {
        let distance = distance_from(zero, prefix);
        format!("{}return {distance} * {sixteen}(series, z);", series_of_16(series))
    };
    match (k, n) {
        (0, 0) => zero(&COSINE, (0.25 * high, 0.25 * low)),
        (1, 0) => zero(&SINE, PI_SQUARE),
        (0, _) => format!("return {} * {}(z);", number(-0.5), Helper::StumpffMiddle(1, n - 1).name(prefix)),
        _ => format!("{}return {sixteen}(series, z);", series_of_16(&stumpff_series(k, n, 16))),
    }
}

/// c_{k+2} = (1/k! − c_k) / z and 2 c_k' = k c_{k+2} − c_{k+1}.
fn stumpff_far(k: u8, n: u8, prefix: &str) -> String {
    let far = |k: u8, n: u8| format!("{}(z)", Helper::StumpffFar(k, n).name(prefix));
    match (k, n) {
        (0, 0) => "return LIEMECH_MATH(cos)(LIEMECH_MATH(sqrt)(z));".to_owned(),
        (1, 0) => "const LIEMECH_REAL x = LIEMECH_MATH(sqrt)(z);\nreturn LIEMECH_MATH(sin)(x) / x;".to_owned(),
        (2, 0) => format!(
            "const LIEMECH_REAL sine = LIEMECH_MATH(sin)({} * LIEMECH_MATH(sqrt)(z));\n\
             return (sine * sine + sine * sine) / z;",
            number(0.5)
        ),
        (_, 0) => format!("return ({} - {}) / z;", number(1.0 / factorial(u32::from(k) - 2)), far(k - 2, 0)),
        (0, _) => format!("return {} * {};", number(-0.5), far(1, n - 1)),
        _ => {
            let (next, factor) = (far(k + 2, n - 1), number(f64::from(k)));
            format!("return {} * ({factor} * {next} - {});", number(0.5), far(k + 1, n - 1))
        }
    }
}

/// The first two poles, and the power series of the others.
fn gamma_middle(n: u8, prefix: &str) -> String {
    let (high, low) = FIRST_POLE;
    let one = number(1.0);
    let mut text = series_of_16(&derivative(&TAIL, n, 16));
    for (name, pole) in [("one", FIRST_POLE), ("other", (4.0 * high, 4.0 * low))] {
        let _ = writeln!(text, "const LIEMECH_REAL {name} = {one} / {};", distance_from(pole, prefix));
    }
    let power = |name: &str| vec![name; usize::from(n) + 1].join(" * ");
    let (factor, sixteen) = (number(2.0 * falling(0, u32::from(n))), Helper::Sixteen.name(prefix));
    text + &format!("return {factor} * ({} + {}) + {sixteen}(series, z);", power("one"), power("other"))
}

/// The closed form, and its derivatives from z γ' = (z γ² − 3γ + ¼) / 2.
fn gamma_far(n: u8) -> String {
    let mut text = format!("const LIEMECH_REAL half_angle = {} * LIEMECH_MATH(sqrt)(z);\n", number(0.5));
    let one = number(1.0);
    let _ = writeln!(text, "const LIEMECH_REAL gamma0 = ({one} - half_angle / LIEMECH_MATH(tan)(half_angle)) / z;");
    for m in 0..n {
        let mut binomial = 1.0;
        let mut terms = vec![];
        for i in 0..=m {
            terms.push(format!("{} * gamma{i} * gamma{}", number(binomial), m - i));
            binomial *= f64::from(m - i) / f64::from(i + 1);
        }
        let _ = writeln!(text, "const LIEMECH_REAL square{m} = {};", terms.join(" + "));
        let previous = match m {
            0 => number(0.125),
            _ => format!("{} * square{}", number(0.5 * f64::from(m)), m - 1),
        };
        let (half, factor) = (number(0.5), number(f64::from(m) + 1.5));
        let _ = writeln!(
            text,
            "const LIEMECH_REAL gamma{} = {half} * square{m} + ({previous} - {factor} * gamma{m}) / z;",
            m + 1
        );
    }
    text + &format!("return gamma{n};")
}

/// tan(|θ|/4) = |v| / (|p| + w).
fn log_quaternion(prefix: &str) -> String {
    let series: Vec<f64> = (0..8_i32).map(|j| if j % 2 == 0 { 1.0 } else { -1.0 } / f64::from(2 * j + 1)).collect();
    format!(
        "\
static const LIEMECH_REAL series[8] = {{{series}}};
const LIEMECH_REAL sign = rotation[0] < {zero} ? {minus_one} : {one};
const LIEMECH_REAL w = rotation[0] * sign;
const LIEMECH_REAL x = rotation[1] * sign;
const LIEMECH_REAL y = rotation[2] * sign;
const LIEMECH_REAL z = rotation[3] * sign;
const LIEMECH_REAL squares = x * x + y * y + z * z;
const LIEMECH_REAL denominator = {one} / (LIEMECH_MATH(sqrt)(w * w + squares) + w);
const LIEMECH_REAL square = squares * denominator * denominator;
LIEMECH_REAL arctangent;
LIEMECH_REAL factor;
if (square < {small}) {{
    arctangent = {eight}(series, square);
}} else {{
    const LIEMECH_REAL root = LIEMECH_MATH(sqrt)(square);
    arctangent = LIEMECH_MATH(atan)(root) / root;
}}
factor = {four} * arctangent * denominator;
out[0] = x * factor;
out[1] = y * factor;
out[2] = z * factor;",
        series = list(&series),
        zero = number(0.0),
        one = number(1.0),
        minus_one = number(-1.0),
        four = number(4.0),
        small = number(1.0 / 128.0),
        eight = Helper::Eight.name(prefix),
    )
}

/// The quaternion from the largest of its four columns.
fn log_rotation(prefix: &str) -> String {
    format!(
        "\
const LIEMECH_REAL one = {one};
const LIEMECH_REAL *m = rotation;
const LIEMECH_REAL wx = m[7] - m[5];
const LIEMECH_REAL wy = m[2] - m[6];
const LIEMECH_REAL wz = m[3] - m[1];
const LIEMECH_REAL xy = m[3] + m[1];
const LIEMECH_REAL xz = m[2] + m[6];
const LIEMECH_REAL yz = m[7] + m[5];
const LIEMECH_REAL columns[4][4] = {{
    {{one + m[0] + m[4] + m[8], wx, wy, wz}},
    {{wx, one + m[0] - m[4] - m[8], xy, xz}},
    {{wy, xy, one - m[0] + m[4] - m[8], yz}},
    {{wz, xz, yz, one - m[0] - m[4] + m[8]}},
}};
const int first = columns[0][0] < columns[1][1] ? 1 : 0;
const int second = columns[2][2] < columns[3][3] ? 3 : 2;
const int largest = columns[first][first] < columns[second][second] ? second : first;
const LIEMECH_REAL *p = columns[largest];
const LIEMECH_REAL factor = one / LIEMECH_MATH(sqrt)(p[0] * p[0] + (p[1] * p[1] + p[2] * p[2] + p[3] * p[3]));
const LIEMECH_REAL quaternion[4] = {{p[0] * factor, p[1] * factor, p[2] * factor, p[3] * factor}};
{log}(quaternion, out);",
        one = number(1.0),
        log = Helper::Log(Rotation::S3).name(prefix),
    )
}

/// Returns a constant.
pub(super) fn number(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    match value.abs() {
        size if size.is_nan() => "LIEMECH_C(NAN)".to_owned(),
        size if size.is_infinite() => format!("{sign}LIEMECH_C(INFINITY)"),
        size => format!("{sign}LIEMECH_C({size:?})"),
    }
}
