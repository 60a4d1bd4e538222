//! Splitting of long kernels.
//!
//! Every named value opens a scope that lasts to the end of its block. Compilers traverse nested scopes by recursion, and some thousands of
//! them exhaust the stack. In addition, the optimisation time of a function grows faster than its length. Therefore every few hundred
//! statements form a function of their own, which returns the values that later statements use.

use rustc_hash::FxHashMap;

use super::program::{Expression, ProgramStatement};

/// The number of statements of a block.
const LENGTH: usize = 256;

/// Consecutive statements of a program.
pub(crate) struct Block<'a> {
    pub statements: &'a [&'a ProgramStatement],
    /// The names that later statements and the results use.
    pub used_later: Vec<Name>,
}

/// A name that a statement defines.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    Value(usize),
    /// The results of a call.
    Call(usize),
}

/// Splits statements into blocks; `results` are used after the last one. A short program is one block without such names.
pub(crate) fn split<'a>(statements: &'a [&'a ProgramStatement], results: &[Expression]) -> Vec<Block<'a>> {
    if statements.len() <= 2 * LENGTH {
        return vec![Block { statements, used_later: vec![] }];
    }
    // The last block that uses a name.
    let mut last: FxHashMap<Name, usize> = FxHashMap::default();
    for (at, statement) in statements.iter().enumerate() {
        each_use(statement, &mut |name| {
            last.insert(name, at / LENGTH);
        });
    }
    for result in results {
        each_name(result, &mut |name| {
            last.insert(name, usize::MAX);
        });
    }
    let block = |(block, statements): (usize, &'a [&'a ProgramStatement])| {
        let defined = statements.iter().flat_map(|statement| defined(statement));
        let used_later = defined.filter(|name| last.get(name).is_some_and(|&used| used > block)).collect();
        Block { statements, used_later }
    };
    statements.chunks(LENGTH).enumerate().map(block).collect()
}

/// The names that a statement defines.
fn defined(statement: &ProgramStatement) -> Vec<Name> {
    match statement {
        ProgramStatement::Let { name, .. } => vec![Name::Value(*name)],
        ProgramStatement::If { names, .. } => names.iter().map(|&name| Name::Value(name)).collect(),
        ProgramStatement::Log { call, .. } | ProgramStatement::Opaque { call, .. } => vec![Name::Call(*call)],
        ProgramStatement::Store { .. } => vec![],
    }
}

/// Visits the names that a statement uses.
fn each_use(statement: &ProgramStatement, visit: &mut dyn FnMut(Name)) {
    match statement {
        ProgramStatement::Let { value, .. } | ProgramStatement::Store { value, .. } => each_name(value, visit),
        ProgramStatement::Log { components, .. } => components.iter().for_each(|value| each_name(value, visit)),
        ProgramStatement::Opaque { arguments, directions, .. } => {
            let values = arguments.iter().chain(directions.iter().flatten()).flatten();
            values.for_each(|value| each_name(value, visit));
        }
        ProgramStatement::If { condition, sides, .. } => {
            each_name(condition, visit);
            for side in sides {
                side.body.iter().for_each(|statement| each_use(statement, visit));
                side.values.iter().for_each(|value| each_name(value, visit));
            }
        }
    }
}

/// Visits the names in an expression.
fn each_name(value: &Expression, visit: &mut dyn FnMut(Name)) {
    match value {
        Expression::Named(name) => visit(Name::Value(*name)),
        Expression::Result(call, _) => visit(Name::Call(*call)),
        operation => operation.operands().for_each(|operand| each_name(operand, visit)),
    }
}
