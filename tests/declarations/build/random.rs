//! Choices that are the same everywhere.

/// xorshift64* (Vigna 2016).
pub struct Random(u64);

impl Random {
    pub fn new(seed: usize) -> Self {
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (seed as u64 + 1).wrapping_mul(0xD1B5_4A32_D192_ED03));
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % limit.max(1)
    }

    pub fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Returns true with the probability 1 / `cases`.
    pub fn in_one_of(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// A number of one digit after the point, never 0.
    pub fn literal(&mut self) -> String {
        let tenths = 1 + self.below(29);
        format!("{}.{}_f64", tenths / 10, tenths % 10)
    }
}
