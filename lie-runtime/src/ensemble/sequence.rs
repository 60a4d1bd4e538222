//! Points of the unit cube: random points, Latin hypercubes and Sobol sequences.

/// The primitive polynomials (degree and inner coefficients) and initial direction numbers of S. Joe and F. Y. Kuo,
/// Constructing Sobol sequences with better two-dimensional projections (2008), for dimensions 2 to 10.
const DIRECTIONS: [(u32, u32, &[u32]); 9] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
];

/// The number of dimensions of the Sobol sequence.
pub(super) const SOBOL_DIMENSIONS: usize = DIRECTIONS.len() + 1;

/// Number of bits of a coordinate.
const BITS: u32 = 32;

/// Pseudo-random numbers that are equal on every platform and in every version: the generator SplitMix64.
pub(super) struct Random(u64);

impl Random {
    /// Creates a stream of a seed.
    pub fn stream(seed: u64, number: usize) -> Self {
        let mut random = Random(seed ^ (number as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        random.next();
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number in the open interval (0, 1).
    pub fn unit(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Returns a random permutation of the numbers below `count`.
    fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            // The remainder has a bias of count / 2⁶⁴.
            let other = usize::try_from(self.next() % (last as u64 + 1)).unwrap_or(0);
            order.swap(last, other);
        }
        order
    }
}

/// Returns `count` coordinates of one dimension of a Latin hypercube, with one coordinate in each of `count` equal intervals.
pub(super) fn latin_hypercube(count: usize, seed: u64, dimension: usize) -> Vec<f64> {
    let mut random = Random::stream(seed, dimension);
    let order = random.permutation(count);
    order.into_iter().map(|interval| (interval as f64 + random.unit()) / count as f64).collect()
}

/// Returns `count` coordinates of one dimension of a Sobol sequence. The seed determines a bit pattern that flips all coordinates.
///
/// The first 2ᵏ coordinates lie in different intervals of length 2⁻ᵏ.
pub(super) fn sobol(count: usize, seed: u64, dimension: usize) -> Vec<f64> {
    let directions = directions(dimension);
    let flipped = (Random::stream(seed, dimension).next() >> 32) as u32;
    let mut x = flipped;
    (0..count)
        .map(|index| {
            if index > 0 {
                // Consecutive Gray codes differ in one bit.
                x ^= directions[index.trailing_zeros().min(BITS - 1) as usize];
            }
            (f64::from(x) + 0.5) / 2.0_f64.powi(32)
        })
        .collect()
}

fn directions(dimension: usize) -> [u32; BITS as usize] {
    let mut v = [0; BITS as usize];
    let Some((degree, inner, initial)) = dimension.checked_sub(1).and_then(|row| DIRECTIONS.get(row).copied()) else {
        for (k, v) in v.iter_mut().enumerate() {
            *v = 1 << (BITS as usize - 1 - k);
        }
        return v;
    };
    for (k, &m) in initial.iter().enumerate() {
        v[k] = m << (BITS as usize - 1 - k);
    }
    let s = degree as usize;
    for k in s..BITS as usize {
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for j in 1..s {
            if inner >> (s - 1 - j) & 1 == 1 {
                v[k] ^= v[k - j];
            }
        }
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if every interval contains one number.
    fn is_stratified(numbers: &[f64]) -> bool {
        let mut counts = vec![0; numbers.len()];
        for number in numbers {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let interval = (number * numbers.len() as f64) as usize;
            counts[interval] += 1;
        }
        counts.iter().all(|&count| count == 1)
    }

    #[test]
    fn one_in_each_interval() {
        for dimension in 0..SOBOL_DIMENSIONS {
            for seed in [0, 1, 77] {
                for count in [1, 2, 64, 1024] {
                    assert!(is_stratified(&sobol(count, seed, dimension)), "{dimension} {seed} {count}");
                }
                for count in [1, 2, 63, 1000] {
                    assert!(is_stratified(&latin_hypercube(count, seed, dimension)), "{dimension} {seed} {count}");
                }
            }
        }
    }

    /// The first 2²ᵏ points of two dimensions are distributed equally over 2ᵏ × 2ᵏ squares, up to the defect of the pair. They integrate a
    /// smooth function far more accurately than random points.
    #[test]
    fn sobol_points_fill_the_cube() {
        let count = 4096;
        let points: Vec<Vec<f64>> = (0..SOBOL_DIMENSIONS).map(|dimension| sobol(count, 5, dimension)).collect();
        for first in 0..SOBOL_DIMENSIONS {
            for second in 0..first {
                let pairs = points[first].iter().zip(&points[second]);
                let mean = pairs.map(|(x, y)| (3.0 * x * x) * (2.0 * y)).sum::<f64>() / count as f64;
                assert!((mean - 1.0).abs() < 2e-3, "{first} {second}: {mean}");
            }
        }
    }

    /// The first coordinates of the second dimension without flipped bits, in Gray code order.
    #[test]
    fn direction_numbers() {
        assert_eq!(directions(0)[..3], [1 << 31, 1 << 30, 1 << 29]);
        assert_eq!(directions(1)[..4], [1 << 31, 3 << 30, 5 << 29, 15 << 28]);
        assert_eq!(directions(2)[..3], [1 << 31, 3 << 30, 3 << 29]);
    }

    #[test]
    fn random_numbers_are_the_same_everywhere() {
        let mut random = Random(0);
        assert_eq!(random.next(), 0xE220_A839_7B1D_CDAF);
        let numbers: Vec<f64> = (0..10_000).map(|_| random.unit()).collect();
        let mean = numbers.iter().sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.01 && numbers.iter().all(|u| (0.0..1.0).contains(u)));
    }
}
