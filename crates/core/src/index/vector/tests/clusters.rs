//! Vectors around random centres, the same everywhere: for tests and benches.

/// xorshift64*.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 33) as usize) % end
    }

    /// About normal, with variance 1: a sum of twelve evens.
    pub(crate) fn normal(&mut self) -> f32 {
        (0..12).map(|_| (self.next() >> 40) as f32 / (1 << 24) as f32).sum::<f32>() - 6.0
    }
}

/// Places at random, and vectors near them.
pub(crate) struct Clusters {
    pub(crate) random: Random,
    dimensions: usize,
    centres: Vec<f32>,
    noise: f32,
}

impl Clusters {
    /// So many of them; `noise` is how far vectors stray from their centre.
    pub(crate) fn new(seed: u64, dimensions: usize, count: usize, noise: f32) -> Self {
        let mut random = Random(seed);
        let centres = (0..count * dimensions).map(|_| random.normal()).collect();
        Self { random, dimensions, centres, noise }
    }

    /// A vector of a cluster.
    pub(crate) fn near(&mut self, cluster: usize) -> Vec<f32> {
        let centre = self.centres.chunks_exact(self.dimensions).nth(cluster).unwrap_or_default();
        centre.iter().map(|value| value + self.noise * self.random.normal()).collect()
    }
}
