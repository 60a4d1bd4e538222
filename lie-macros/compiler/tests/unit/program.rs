//! Programs have the values of the graphs that they compute.

use std::collections::HashMap;

use super::{Expression, Program, ProgramStatement};
use crate::expr::Relation;
use crate::scalar::tests::{Random, Values, evaluate, random_choices, random_values};

/// The execution of a program.
#[derive(Default)]
struct Execution<'a> {
    values: Option<&'a Values>,
    named: HashMap<usize, f64>,
    outputs: Vec<f64>,
    /// The numbers of executed branches and of products in sums.
    counts: [usize; 2],
}

impl Execution<'_> {
    fn run(&mut self, body: &[ProgramStatement]) {
        for statement in body {
            match statement {
                ProgramStatement::Let { name, value, .. } => {
                    let value = self.value(value);
                    assert!(self.named.insert(*name, value).is_none(), "two values have the name {name}");
                }
                ProgramStatement::Store { output, value } => {
                    assert_eq!(*output, self.outputs.len());
                    let value = self.value(value);
                    self.outputs.push(value);
                }
                ProgramStatement::If { condition, names, sides } => {
                    self.counts[0] += 1;
                    let side = &sides[usize::from(self.value(condition) < 0.5)];
                    let outside = self.named.clone();
                    self.run(&side.body);
                    let values: Vec<f64> = side.values.iter().map(|value| self.value(value)).collect();
                    // Values of one side are not known after the branch.
                    self.named = outside;
                    self.named.extend(names.iter().copied().zip(values));
                }
                ProgramStatement::Log { .. } | ProgramStatement::Opaque { .. } => panic!("random graphs have no calls"),
            }
        }
    }

    fn value(&mut self, expression: &Expression) -> f64 {
        let truth = |value: bool| if value { 1.0 } else { 0.0 };
        if matches!(expression, Expression::MultiplyAdd(_)) {
            self.counts[1] += 1;
        }
        let operands: Vec<f64> = expression.operands().map(|operand| self.value(operand)).collect();
        match (expression, &operands[..]) {
            (Expression::Number(value), _) => *value,
            (Expression::Leaf(leaf, component), _) => self.values.expect("values")[&(*leaf, *component)],
            (Expression::Named(name), _) => self.named[name],
            (Expression::Negative(_), [a]) => -a,
            (Expression::Sum(_), [a, b]) => a + b,
            (Expression::Difference(_), [a, b]) => a - b,
            (Expression::Product(_), [a, b]) => a * b,
            // The values of the graphs are exact.
            (Expression::MultiplyAdd(_), [x, y, a]) => x * y + a,
            (Expression::Function(function, _), [a]) => function.value(*a),
            (Expression::Compare(Relation::Less, _), [a, b]) => truth(a < b),
            (Expression::Compare(Relation::LessOrEqual, _), [a, b]) => truth(a <= b),
            (Expression::Not(_), [a]) => 1.0 - a,
            (Expression::Select(_), [condition, a, b]) => {
                if *condition > 0.5 {
                    *a
                } else {
                    *b
                }
            }
            (other, _) => panic!("{other:?} is not in random graphs"),
        }
    }
}

#[test]
fn programs_have_the_values_of_their_graphs() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut counts = [0; 2];
    for _ in 0..4_000 {
        let (graph, outputs) = random_choices(&mut random);
        let program = Program::with_opaque_calls(&graph, &outputs, None);
        let values = random_values(&mut random);
        let mut execution = Execution { values: Some(&values), ..Execution::default() };
        execution.run(&program.body);
        let expected: Vec<f64> = outputs.iter().map(|&output| evaluate(&graph, output, &values)).collect();
        assert_eq!(execution.outputs, expected, "{program:#?}");
        for (sum, count) in counts.iter_mut().zip(execution.counts) {
            *sum += count;
        }
    }
    assert!(counts[0] > 100 && counts[1] > 10_000, "{counts:?}");
}
