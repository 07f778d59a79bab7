//! Seeds are read exactly: any number of 64 bits is a seed.

use fletch_smooth::generate::SplitMix64;
use fletch_tests::must_check;

#[test]
fn large_seeds_are_exact() {
    for seed in [7, (1 << 53) + 1, u64::MAX] {
        let main = must_check(&format!(
            "loc w ∷ (1) = uniform(lo: 0, hi: 1, seed: {seed})\nmain = Get[w]()"
        ));
        let expected = SplitMix64::new(seed).uniform();
        assert_eq!(main.program.initial[0].data(), [expected], "{seed}");
    }
}
