//! Comparisons of band factors with dense matrices.

use super::BandedLu;
use crate::solve::random::numbers;

/// Envelopes of all kinds: unknowns that are eliminated in pairs, unknowns that are not, and wide envelopes.
#[test]
fn solutions_satisfy_their_systems() {
    for seed in 1..600 {
        let mut next = numbers(seed);
        let mut below = |limit: usize| usize::try_from((next().to_bits() >> 8) % limit as u64).unwrap();
        let (size, widest) = (1 + below(40), 1 + below(30));
        // Blocks of unknowns with equal reach, like the blocks of a member.
        let mut reach = Vec::new();
        while reach.len() < size {
            let (end, block) = (below(widest), 1 + below(8));
            reach.extend((0..block).map(|at| (end + block).saturating_sub(at).min(size)));
        }
        reach.truncate(size);
        let mut factors = BandedLu::<f64>::new(&reach);
        let reach: Vec<usize> = (0..size).map(|k| factors.reach(k)).collect();
        let mut matrix = vec![vec![0.0; size]; size];
        for row in 0..size {
            for column in 0..size {
                if row.abs_diff(column) <= reach[row.min(column)] {
                    matrix[row][column] = next() + if row == column { 4.0 + widest as f64 } else { 0.0 };
                }
            }
        }
        let assemble = |band: &mut BandedLu<f64>| {
            for (row, entries) in matrix.iter().enumerate() {
                for (column, &entry) in entries.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                    band.add(row, column, entry);
                }
            }
        };
        factors.factorise(assemble).expect("factors");
        assert!(!factors.is_permuted(), "seed {seed}");
        let expected: Vec<f64> = (0..size).map(|_| next()).collect();
        let mut x: Vec<f64> =
            matrix.iter().map(|row| row.iter().zip(&expected).map(|(a, x)| a * x).sum::<f64>()).collect();
        factors.solve(&mut x);
        let error = x.iter().zip(&expected).map(|(x, expected)| (x - expected).abs()).fold(0.0, f64::max);
        assert!(error < 1e-12, "seed {seed}, {reach:?}: {error:e}");
        // yᵀ A⁻¹ x = xᵀ A⁻ᵀ y, for these factors and for factors with interchanges.
        factors.is_permuted = seed % 2 == 0;
        factors.factorise(assemble).expect("factors");
        assert_eq!(factors.is_permuted(), seed % 2 == 0);
        let [mut first, mut second]: [Vec<f64>; 2] = [(); 2].map(|()| (0..size).map(|_| next()).collect());
        let given = [first.clone(), second.clone()];
        factors.solve(&mut first);
        factors.solve_transposed(&mut second);
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (one, other) = (product(&given[1], &first), product(&given[0], &second));
        assert!((one - other).abs() < 1e-12, "seed {seed}: {one} {other}");
    }
}

/// Elimination section by section gives the result of elimination in one section.
#[test]
fn panels_make_the_same_factors() {
    for seed in 1..200 {
        let mut next = numbers(seed);
        let mut below = |limit: usize| usize::try_from((next().to_bits() >> 8) % limit as u64).unwrap();
        let (size, widest) = (1 + below(90), 1 + below(if seed % 4 == 0 { 30 } else { 9 }));
        let reach: Vec<usize> = (0..size).map(|_| below(widest)).collect();
        let mut ends: Vec<usize> = (0..below(6)).map(|_| below(size)).chain([size]).collect();
        ends.sort_unstable();
        let (mut whole, mut parts) = (BandedLu::<f64>::new(&reach), BandedLu::<f64>::new(&reach));
        let mut matrix = Vec::new();
        for row in 0..size {
            for column in whole.first(row)..=row + whole.reach(row) {
                // Some rows are constraints, and some matrices have an unsafe pivot.
                let own = if row % 7 == 6 { 0.0 } else { 4.0 + widest as f64 };
                let own = if seed % 5 == 0 && row == size / 2 { 1e-13 } else { own };
                matrix.push((row, column, if row == column { own } else { next() }));
            }
        }
        let add = |band: &mut BandedLu<f64>, wanted: core::ops::Range<usize>| {
            for &(row, column, entry) in matrix.iter().filter(|entry| wanted.contains(&entry.0.min(entry.1))) {
                band.add(row, column, entry);
            }
        };
        let one = whole.factorise(|band| add(band, 0..size));
        let other = parts.factorise_in_panels(&ends, |band, number| {
            add(band, if number == 0 { 0 } else { ends[number - 1] }..ends[number]);
        });
        assert_eq!((one, whole.is_permuted()), (other, parts.is_permuted()), "seed {seed}, {ends:?}");
        let mut x: Vec<f64> = (0..size).map(|_| next()).collect();
        let mut y = x.clone();
        if one.is_ok() {
            whole.solve(&mut x);
            parts.solve(&mut y);
            assert_eq!(x, y, "seed {seed}, {ends:?}");
        }
    }
}

/// Rigidly connected masses on a line: y₀, λ₀, y₁, λ₁, …; all accelerations are Σ f / Σ m.
#[test]
fn long_chains_keep_their_order() {
    for (count, mass, unit) in [(10, 1.0, 1.0), (4096, 1e-3, 1.0), (4096, 1.0, 1e6), (4096, 1e3, 1e-8)] {
        let size = 2 * count - 1;
        let reach: Vec<usize> = (0..size).map(|k| if k % 2 == 0 { 2 } else { 1 }).collect();
        let mut factors = BandedLu::<f64>::new(&reach);
        let outcome = factors.factorise(|matrix| {
            for node in 0..count {
                matrix.add(2 * node, 2 * node, mass);
            }
            for link in 0..count - 1 {
                for (node, sign) in [(link, -unit), (link + 1, unit)] {
                    matrix.add(2 * link + 1, 2 * node, sign);
                    matrix.add(2 * node, 2 * link + 1, sign);
                }
            }
        });
        assert_eq!(outcome, Ok(()));
        assert!(!factors.is_permuted(), "{count} masses of {mass}, {unit}");
        let force = |node: usize| 1.0 + (0.1 * node as f64).sin();
        let mut x: Vec<f64> = (0..size).map(|k| if k % 2 == 0 { force(k / 2) } else { 0.0 }).collect();
        factors.solve(&mut x);
        let exact = (0..count).map(force).sum::<f64>() / (mass * count as f64);
        let error = x.iter().step_by(2).map(|a| (a / exact - 1.0).abs()).fold(0.0, f64::max);
        assert!(error < 1e-11, "{count} masses of {mass}, {unit}: {error:e}");
    }
}

/// A small pivot, which is dominated by a diagonal entry in its row, is interchanged.
#[test]
fn digits_are_not_lost() {
    for small in [1e-14, 1e-9] {
        let mut factors = BandedLu::<f64>::new(&[1, 0]);
        let entries = [(0, 0, small), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0)];
        factors
            .factorise(|matrix| {
                for (row, column, entry) in entries {
                    matrix.add(row, column, entry);
                }
            })
            .unwrap();
        assert!(factors.is_permuted());
        let mut x = [small + 2.0, 3.0];
        factors.solve(&mut x);
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15, "{x:?}");
    }
}
