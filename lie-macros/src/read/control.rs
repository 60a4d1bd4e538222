//! Blocks, conditions, loops, and what leaves them: `return`, `break`, `continue`.
//!
//! Invariant: a way out that depends on the state is a choice. Its condition and its value are kept as an [`Exit`] until
//! what it leaves has been read; it keeps what it saw of the variables that are written in the meantime.

use std::collections::{BTreeMap, HashMap};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Block, Expr, Item, Lifetime, Stmt};

use super::integers::Integer;
use super::operators::kind_of;
use super::types::indexing;
use super::{Left, Reader, Reading, Reported, Value};
use crate::expr::Node;

/// A loop of more iterations is surely a mistake.
pub(super) const MAX_ITERATIONS: i128 = 10_000;

/// More ways out of one `loop` than this depend on the state for ever.
const MAX_BREAKS: usize = 200;

/// Functions and closures that call each other deeper than this are a recursion.
const MAX_DEPTH: usize = 64;

/// What can be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Function,
    Loop,
    Block,
}

/// A function, loop or labelled block that is being read.
pub(crate) struct Frame {
    scope: Scope,
    label: Option<String>,
    /// Variables from here on end with it; in a loop, with one iteration.
    floor: usize,
    turn: usize,
    /// How many conditions were open when it began.
    path: usize,
}

/// A way out that has been met.
pub(crate) struct Exit {
    frame: usize,
    /// True for `continue`.
    is_next: bool,
    /// Variables from here on are not seen where it leads.
    pub floor: usize,
    /// Where it is taken; `None`: always.
    pub condition: Option<Node>,
    pub value: Value,
    /// What variables held when it was met, of those that were written later.
    pub kept: BTreeMap<usize, Value>,
    pub at: TokenStream,
}

impl Reader<'_> {
    /// The value of a block.
    pub(super) fn block(&mut self, block: &Block) -> Reading {
        self.scopes.push(HashMap::new());
        let value = self.statements(&block.stmts);
        self.scopes.pop();
        value
    }

    fn statements(&mut self, statements: &[Stmt]) -> Reading {
        // Items are seen before they are written, too.
        for statement in statements {
            if let Stmt::Item(Item::Const(item)) = statement {
                let value = self.expression(&item.expr).and_then(|value| self.typed(value, &item.ty));
                self.declare(&item.ident, value.unwrap_or(Value::Unknown));
            }
        }
        let mut value = Ok(Value::Unit);
        for (at, statement) in statements.iter().enumerate() {
            value = match statement {
                Stmt::Local(local) => self.local(local, &statements[at + 1..]).map(|()| Value::Unit),
                Stmt::Expr(expr, semicolon) => match (semicolon, self.expression(expr)) {
                    (Some(_), Ok(_)) => Ok(Value::Unit),
                    (_, value) => value,
                },
                Stmt::Item(Item::Const(_)) => Ok(Value::Unit),
                Stmt::Item(item) => self.inner_item(item),
                Stmt::Macro(statement) => match (&statement.semi_token, self.macro_call(&statement.mac)) {
                    (Some(_), Ok(_)) => Ok(Value::Unit),
                    (_, value) => value,
                },
            };
            if matches!(value, Err(Left)) {
                return value;
            }
        }
        value
    }

    /// `let`, and what follows it.
    fn local(&mut self, local: &syn::Local, rest: &[Stmt]) -> Reading<()> {
        let Some(init) = &local.init else { return self.bind(&local.pat, Value::Unset) };
        if let (syn::Pat::Type(syn::PatType { ty, .. }), Expr::Call(call)) = (&local.pat, &*init.expr)
            && super::standard::is_from_fn(call)
            && let syn::Type::Array(array) = &**ty
            && let Value::Integer(length) = self.expression(&array.len)?
        {
            self.expected_length = usize::try_from(length.value).ok();
        }
        let value = self.expression(&init.expr);
        self.expected_length = None;
        let value = match value {
            Err(Left) => return Err(Left),
            // A variable whose value could not be read is unknown; its uses say nothing more.
            value => value.unwrap_or(Value::Unknown),
        };
        let value = indexing(value, &local.pat, |indices| rest.iter().for_each(|next| indices.visit_stmt(next)));
        match &init.diverge {
            None => self.bind(&local.pat, value),
            Some((_, other)) => match self.test(&local.pat, &value)? {
                Value::Known(true) => self.bind(&local.pat, value),
                Value::Known(false) => self.expression(other).map(|_| ()),
                _ => self.outside(&local.pat, "`let … else` on the state").map(|_| ()),
            },
        }
    }

    fn inner_item(&mut self, item: &Item) -> Reading {
        // Uses of it say nothing more.
        let name = match item {
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Static(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(name) = name {
            self.declare(name, Value::Unknown);
        }
        self.error_with_help(
            item,
            "items inside of a body cannot be read",
            "move it out of the function, into the module",
        )
    }

    /// `if`, with or without `else`.
    pub(super) fn condition(&mut self, expr: &syn::ExprIf) -> Reading {
        let otherwise = |this: &mut Self| match &expr.else_branch {
            Some((_, other)) => this.expression(other),
            None => Ok(Value::Unit),
        };
        if let Expr::Let(pattern) = &*expr.cond {
            let value = self.expression(&pattern.expr)?;
            return match self.test(&pattern.pat, &value)? {
                Value::Known(true) => {
                    self.scopes.push(HashMap::new());
                    let result = self.bind(&pattern.pat, value).and_then(|()| self.block(&expr.then_branch));
                    self.scopes.pop();
                    result
                }
                Value::Known(false) => otherwise(self),
                _ => self.outside(&expr.cond, "`if let` on the state"),
            };
        }
        match self.expression(&expr.cond)? {
            Value::Known(true) => self.block(&expr.then_branch),
            Value::Known(false) => otherwise(self),
            Value::Truth(condition) => {
                self.branch(&expr.if_token, condition, |this| this.block(&expr.then_branch), otherwise)
            }
            Value::Unknown => Err(Reported),
            other => self.no_condition(&expr.cond, &other),
        }
    }

    /// Reports what is no condition.
    pub(super) fn no_condition(&mut self, at: &Expr, value: &Value) -> Reading {
        let found = value.describe(&self.expressions);
        self.error_with_help(
            at,
            format_args!("a condition is a comparison, not {found}"),
            "compare numbers, as in `x > 0.0`",
        )
    }

    /// `a` where the condition holds, else `b`.
    pub(super) fn choose(&mut self, at: &dyn ToTokens, condition: Node, a: Value, b: Value) -> Reading {
        let parts = |this: &mut Self, a: Vec<Value>, b: Vec<Value>| -> Reading<Vec<Value>> {
            a.into_iter().zip(b).map(|(a, b)| this.choose(at, condition, a, b)).collect()
        };
        let e = &mut self.expressions;
        match (a, b) {
            (Value::Unknown, _) | (_, Value::Unknown) => Ok(Value::Unknown),
            (a, b) if a == b => Ok(a),
            (Value::Unset, value) | (value, Value::Unset) => Ok(value),
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(e.select(condition, a, b))),
            (Value::Matrix(a), Value::Matrix(b)) if e.shape(a) == e.shape(b) => {
                Ok(Value::Matrix(e.select(condition, a, b)))
            }
            (Value::Rotation(a), Value::Rotation(b)) if e.rotation(a) == e.rotation(b) => {
                Ok(Value::Rotation(e.select(condition, a, b)))
            }
            (
                Value::Pose { group, rotation: a, translation: x },
                Value::Pose { group: other, rotation: b, translation: y },
            ) if group == other => {
                let rotation = e.select(condition, a, b);
                Ok(Value::Pose { group, rotation, translation: e.select(condition, x, y) })
            }
            (Value::Direction(a), Value::Direction(b)) => Ok(Value::Direction(e.select(condition, a, b))),
            (a @ (Value::Known(_) | Value::Truth(_)), b @ (Value::Known(_) | Value::Truth(_))) => {
                // (c and a) or (not c and b).
                let opposite = e.not(condition);
                let one = self.both(Value::Truth(condition), a);
                let other = self.both(Value::Truth(opposite), b);
                Ok(self.either(one, other))
            }
            (a @ (Value::Count(..) | Value::Integer(_)), b @ (Value::Count(..) | Value::Integer(_))) => {
                let kind = kind_of(&a, &b);
                let (a, b) = (self.count_of(&a), self.count_of(&b));
                Ok(Value::Count(self.expressions.select(condition, a, b), kind))
            }
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => parts(self, a, b).map(Value::Tuple),
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => parts(self, a, b).map(Value::Array),
            (Value::Struct(name, a), Value::Struct(other, b)) if name == other && a.len() == b.len() => {
                let (names, a): (Vec<String>, Vec<Value>) = a.into_iter().unzip();
                let b = b.into_iter().map(|(_, value)| value).collect();
                Ok(Value::Struct(name, names.into_iter().zip(parts(self, a, b)?).collect()))
            }
            (Value::Reference(_), Value::Reference(_)) => self.error_with_help(
                at,
                "which of two variables a reference means cannot be chosen at run time",
                "write to each of them on its side, as in `if c { a += x; } else { b += x; }`",
            ),
            (a, b) => {
                let (a, b) = (a.describe(&self.expressions), b.describe(&self.expressions));
                self.error_with_help(
                    at,
                    format_args!("the sides of this choice cannot be chosen between at run time: {a} and {b}"),
                    "let both sides be scalars, or vectors of one size",
                )
            }
        }
    }

    // ---- Loops -----------------------------------------------------------------------------------------------------

    /// `for`, unrolled.
    pub(super) fn for_loop(&mut self, expr: &syn::ExprForLoop) -> Reading {
        let value = self.expression(&expr.expr)?;
        let items = self.items(value, &expr.expr)?;
        let pattern = &expr.pat;
        let mut items = items.into_iter();
        self.iterate(expr.label.as_ref(), |this| {
            let Some(item) = items.next() else { return Ok(false) };
            let item = indexing(item, pattern, |indices| indices.visit_block(&expr.body));
            this.spend(1, &expr.pat)?;
            this.scopes.push(HashMap::new());
            let result = this.bind(&expr.pat, item).and_then(|()| this.block(&expr.body));
            this.scopes.pop();
            result.map(|_| true)
        })
        .map(|_| Value::Unit)
    }

    /// `while`, unrolled while its condition is known.
    pub(super) fn while_loop(&mut self, expr: &syn::ExprWhile) -> Reading {
        let mut turns = 0;
        self.iterate(expr.label.as_ref(), |this| {
            turns += 1;
            if turns > MAX_ITERATIONS {
                return this.too_long(&expr.while_token);
            }
            match this.expression(&expr.cond)? {
                Value::Known(false) => Ok(false),
                Value::Known(true) => this.block(&expr.body).map(|_| true),
                Value::Unknown => Err(Reported),
                _ => this.error_with_help(
                    &expr.cond,
                    "how often this loop runs depends on the state",
                    "write `for _ in 0..20 { if … { break; } … }` with the largest number of turns",
                ),
            }
        })
        .map(|_| Value::Unit)
    }

    /// `loop`, unrolled up to a `break` that is known.
    pub(super) fn endless_loop(&mut self, expr: &syn::ExprLoop) -> Reading {
        let mut turns = 0;
        self.iterate(expr.label.as_ref(), |this| {
            turns += 1;
            // A `loop` that only the state could end goes on for ever here.
            let frame = this.frames.len() - 1;
            if turns > MAX_ITERATIONS || this.exits.iter().filter(|exit| exit.frame == frame).count() > MAX_BREAKS {
                return this.too_long(&expr.loop_token);
            }
            this.spend(1, &expr.loop_token)?;
            this.block(&expr.body).map(|_| true)
        })
    }

    fn too_long(&mut self, at: &dyn ToTokens) -> Reading<bool> {
        self.error_with_help(
            at,
            format_args!("this loop does not end within {MAX_ITERATIONS} turns that are known at compile time"),
            "write `for _ in 0..20 { if … { break; } … }` with the largest number of turns",
        )
    }

    /// Turns of a loop, each told by `turn` to be followed by another one; the value is that of its `break`s.
    fn iterate(&mut self, label: Option<&syn::Label>, mut turn: impl FnMut(&mut Self) -> Reading<bool>) -> Reading {
        let frame = self.enter(Scope::Loop, label);
        let ended = loop {
            let floor = self.store.len();
            if let Some(frame) = self.frames.last_mut() {
                frame.turn = floor;
            }
            match turn(self) {
                Ok(false) => break Ok(Value::Unit),
                Err(Reported) => break Err(Reported),
                turned => {
                    let next = self.drain(|exit| exit.frame == frame && exit.is_next);
                    let ended = turned.is_ok().then_some(Value::Unit);
                    if let Err(stop) = self.rejoin(&next, ended) {
                        break Err(stop);
                    }
                }
            }
        };
        self.leave(ended)
    }

    // ---- Frames and ways out ---------------------------------------------------------------------------------------

    fn enter(&mut self, scope: Scope, label: Option<&syn::Label>) -> usize {
        let label = label.map(|label| label.name.ident.to_string());
        let floor = self.store.len();
        self.frames.push(Frame { scope, label, floor, turn: floor, path: self.path.len() });
        self.frames.len() - 1
    }

    /// Ends the innermost frame: its value is that of the first way out that is taken, else what it ended with.
    fn leave(&mut self, ended: Reading) -> Reading {
        let frame = self.frames.len() - 1;
        self.frames.pop();
        let exits = self.drain(|exit| exit.frame == frame);
        match ended {
            Ok(value) => self.rejoin(&exits, Some(value)),
            // Every path was left: the last way out is taken where no other one is.
            Err(Left) => self.rejoin(&exits, None),
            Err(Reported) => Err(Reported),
        }
    }

    /// The ways out that lead where control is now.
    fn drain(&mut self, lead_here: impl Fn(&Exit) -> bool) -> Vec<Exit> {
        let (here, others) = std::mem::take(&mut self.exits).into_iter().partition(lead_here);
        self.exits = others;
        here
    }

    /// The body of a function or closure.
    pub(super) fn function(&mut self, at: &dyn ToTokens, body: impl FnOnce(&mut Self) -> Reading) -> Reading {
        if self.frames.len() > MAX_DEPTH {
            return self.error_with_help(
                at,
                format_args!("functions and loops are nested more than {MAX_DEPTH} deep here"),
                "functions are inlined: write a recursion as a `for` loop",
            );
        }
        self.enter(Scope::Function, None);
        let ended = body(self);
        self.leave(ended)
    }

    /// `'name: { … }`.
    pub(super) fn labelled(&mut self, block: &syn::ExprBlock) -> Reading {
        self.enter(Scope::Block, block.label.as_ref());
        let ended = self.block(&block.block);
        self.leave(ended)
    }

    /// `return`, `break` or `continue`: the path is left.
    fn exit(&mut self, frame: usize, is_next: bool, value: Value, at: &dyn ToTokens) -> Reading {
        let Frame { floor, turn, path, .. } = self.frames[frame];
        let mut conditions = self.path[path..].to_vec();
        // Who has left for somewhere nearer does not come here.
        let nearer = |exit: &&Exit| exit.frame > frame || (exit.frame == frame && exit.is_next && !is_next);
        let gone: Vec<Node> = self.exits.iter().filter(nearer).filter_map(|exit| exit.condition).collect();
        for condition in gone {
            conditions.push(self.expressions.not(condition));
        }
        let condition = conditions.into_iter().reduce(|a, b| self.expressions.and(a, b));
        let floor = if is_next { turn } else { floor };
        self.exits.push(Exit {
            frame,
            is_next,
            floor,
            condition,
            value,
            kept: BTreeMap::new(),
            at: at.to_token_stream(),
        });
        Err(Left)
    }

    /// `return x`.
    pub(super) fn return_early(&mut self, expr: &syn::ExprReturn) -> Reading {
        let value = match &expr.expr {
            Some(value) => self.expression(value)?,
            None => Value::Unit,
        };
        match self.frames.iter().rposition(|frame| frame.scope == Scope::Function) {
            Some(frame) => self.exit(frame, false, value, &expr.return_token),
            None => self.error(expr, "`return` outside of a function"),
        }
    }

    /// `break` and `break x`.
    pub(super) fn break_out(&mut self, expr: &syn::ExprBreak) -> Reading {
        let value = match &expr.expr {
            Some(value) => self.expression(value)?,
            None => Value::Unit,
        };
        match self.target(expr.label.as_ref()) {
            Some(frame) => self.exit(frame, false, value, &expr.break_token),
            None => self.error(expr, "`break` outside of a loop"),
        }
    }

    /// `continue`.
    pub(super) fn continue_on(&mut self, expr: &syn::ExprContinue) -> Reading {
        match self.target(expr.label.as_ref()) {
            Some(frame) => self.exit(frame, true, Value::Unit, expr),
            None => self.error(expr, "`continue` outside of a loop"),
        }
    }

    /// The frame that `break` and `continue` mean.
    fn target(&self, label: Option<&Lifetime>) -> Option<usize> {
        let label = label.map(|label| label.ident.to_string());
        let first = self.frames.iter().rposition(|frame| frame.scope == Scope::Function)?;
        (first..self.frames.len()).rev().find(|&at| match &label {
            Some(_) => self.frames[at].label == label,
            None => self.frames[at].scope == Scope::Loop,
        })
    }

    /// What a `for` loop runs over.
    pub(super) fn items(&mut self, value: Value, at: &dyn ToTokens) -> Reading<Vec<Value>> {
        match value {
            Value::Array(items) | Value::Sequence(items) => Ok(items),
            Value::Range(start, end) => {
                let count = end.value.saturating_sub(start.value).max(0);
                if count > MAX_ITERATIONS {
                    return self.error_with_help(
                        at,
                        format_args!("this loop has {count} iterations; at most {MAX_ITERATIONS} are unrolled"),
                        "write the sum in closed form, or move it into an `#[opaque]` function",
                    );
                }
                let kind = start.kind.or(end.kind);
                Ok((start.value..end.value).map(|value| Value::Integer(Integer { value, kind })).collect())
            }
            // By columns, as nalgebra does.
            Value::Matrix(matrix) => {
                let (rows, columns) = self.expressions.shape(matrix);
                Ok((0..rows * columns)
                    .map(|at| Value::Scalar(self.expressions.entry(matrix, at % rows, at / rows)))
                    .collect())
            }
            Value::Reference(place) => {
                let place = self.last_place(place);
                match self.at(&place) {
                    Value::Array(items) => Ok((0..items.len()).map(|at| Value::Reference(place.item(at))).collect()),
                    Value::Matrix(matrix) => {
                        let (rows, columns) = self.expressions.shape(matrix);
                        Ok((0..rows * columns).map(|at| Value::Reference(place.entry(at % rows, at / rows))).collect())
                    }
                    _ => self.no_items(at),
                }
            }
            Value::Unknown => Err(Reported),
            _ => self.no_items(at),
        }
    }

    fn no_items<T>(&mut self, at: &dyn ToTokens) -> Reading<T> {
        self.error_with_help(
            at,
            "the bounds of this loop are not known at compile time",
            "loop over a range of literals or of module `const`s, such as `0..3`, or over an array",
        )
    }
}
