//! Terms over single members and over a chain.

use super::Written;
use super::seen::{GROUPS, Group, Seen, View, number, vector};
use crate::random::Random;

/// How many members the chain has.
const LENGTH: usize = 3;

/// The arguments of a term over elements: the indices of its elements, and the forms of members and their velocities.
struct Elements {
    over: &'static str,
    count: usize,
    /// The arguments that are members, and those that are velocities.
    parameters: [String; 2],
    /// The arguments for element `i`; velocities are taken from `v`.
    arguments: [&'static str; 2],
}

/// A declaration.
pub fn write(random: &mut Random) -> Written {
    let mut written = Written::default();
    let mut offset = 0;
    let singles: Vec<Seen> = (0..=random.below(2)).map(|at| single(&mut written, random, at, &mut offset)).collect();
    whole(&mut written, random, &View::of(singles.clone()));
    let group = *random.one(&GROUPS);
    chain(&mut written, random, group, &mut offset);
    joined(&mut written, random, group, &singles[0]);
    written
}

/// A single member in the form that a term over all members uses.
fn single(written: &mut Written, random: &mut Random, at: usize, offset: &mut usize) -> Seen {
    let group = *random.one(&GROUPS);
    let (name, place) = (format!("m{at}"), format!("q.m{at}"));
    written.fields.push(format!("pub {name}: {}", group.name));
    written.start.push(format!("{name}: {}", group.element()));
    let is_direction = group.name == "S2";
    let velocity = if is_direction { format!("direction_{name}_rate(q, v)") } else { format!("v.{name}") };
    if is_direction {
        written.item(format!(
            "#[quantity]\n    pub fn direction_{name}(q: &Place) -> Vector3<f64> {{ {place}.direction() }}"
        ));
        written.directions.push(format!("({offset}, {place}.direction())"));
    }
    *offset += group.dimension;
    let square = group.pairing(&velocity, &velocity);
    written.item(format!(
        "#[kinetic_energy]\n    pub fn inertia_{name}(q: &Place, v: &Velocity) -> f64 {{ 0.6 * {square} }}"
    ));
    written.lagrangian.push(format!("+ m::inertia_{name}(q, &v)"));
    let own = View::of([Seen { group, place: place.clone(), velocity: velocity.clone() }]);
    let force = own.force_on(random, group);
    written.item(format!(
        "#[force(on = {name})]\n    pub fn push_{name}(t: f64, q: &Place, v: &Velocity) -> {} {{ {force} }}",
        group.velocity()
    ));
    let work = group.pairing(&format!("m::push_{name}(t, q, &v)"), &format!("along.{name}"));
    written.work.push(format!("+ {work}"));
    Seen { group, place, velocity }
}

/// Terms over everything that is no chain.
fn whole(written: &mut Written, random: &mut Random, view: &View) {
    let arguments = "data: &Data, t: f64, q: &Place, v: &Velocity";
    let (second, first) = (view.linear(random), view.linear(random));
    written.item(format!(
        "#[kinetic_energy]\n    pub fn coupled({arguments}) -> f64 {{ 0.5 * ({second}).powi(2) + {first} }}"
    ));
    written.lagrangian.push("+ m::coupled(data, t, q, &v)".to_owned());
    let (a, b) = (view.smooth(random), view.smooth(random));
    written.item(format!(
        "#[potential]\n    pub fn stored(data: &Data, t: f64, q: &Place) -> f64 {{ data.weight * ({a} + 0.3).powi(2) + {b} }}"
    ));
    written.lagrangian.push("- m::stored(data, t, q)".to_owned());
    let (a, b) = (view.linear(random), view.rate(random));
    written.item(format!(
        "#[dissipation]\n    pub fn lost({arguments}) -> f64 {{ 0.2 * ({a}).powi(2) + 0.05 * ({b}).powi(4) }}"
    ));
    written.work.push("- slope(|e| m::lost(data, t, q, &faster(e)))".to_owned());
    let point = view.without_time().vector(random, 2, View::smooth);
    written.item(format!("#[quantity]\n    pub fn point(data: &Data, q: &Place) -> Vector2<f64> {{ {point} }}"));
    let force = view.vector(random, 2, View::force);
    written.item(format!("#[force(at = point)]\n    pub fn pull({arguments}) -> Vector2<f64> {{ {force} }}"));
    written.work.push("+ m::pull(data, t, q, &v).dot(&slopes(|e| m::point(data, &moved(e))))".to_owned());
    if view.dimension() > 2 {
        let closure = view.closure(random, written.levels.len());
        written
            .item(format!("#[constraint]\n    pub fn closed(data: &Data, t: f64, q: &Place) -> f64 {{ {closure} }}"));
        written.holonomic("closed", "m::closed(data, t, q)");
    }
    if view.dimension() > 3 {
        let rolling = view.linear(random);
        written.item(format!(
            "#[velocity_constraint]\n    pub fn rolling({arguments}) -> f64 {{ {rolling} + 0.3 * t.sin() }}"
        ));
        // Of first degree: a difference is a slope.
        written.work.push(
            "- multipliers.rolling * (m::rolling(data, t, q, &faster(1.0)) - m::rolling(data, t, q, &v))".to_owned(),
        );
    }
}

/// A chain with terms over its members and over adjacent members.
fn chain(written: &mut Written, random: &mut Random, group: Group, offset: &mut usize) {
    let (name, velocity) = (group.name, group.velocity());
    written.fields.push(format!("pub nodes: Vec<{name}>"));
    written.start.push(format!("nodes: vec![{}]", vec![group.element(); LENGTH].join(", ")));
    written.lengths.push(format!("nodes: {LENGTH}"));
    if name == "S2" {
        written.item("#[quantity(over = nodes)]\n    pub fn direction(a: &S2) -> Vector3<f64> { a.direction() }");
        for at in 0..LENGTH {
            written.directions.push(format!("({}, q.nodes[{at}].direction())", *offset + 3 * at));
        }
    }
    *offset += LENGTH * group.dimension;
    let seen = |place: &str| {
        let velocity = match group.name {
            "S2" => format!("direction_rate({place}, v{place})"),
            _ if group.turns_by_a_number() => format!("(*v{place})"),
            _ => format!("v{place}"),
        };
        Seen { group, place: format!("(*{place})"), velocity }
    };
    let each = Elements {
        over: "nodes",
        count: LENGTH,
        parameters: [format!("a: &{name}"), format!("va: &{velocity}")],
        arguments: ["&q.nodes[i]", "&v.nodes[i]"],
    };
    let pairs = Elements {
        over: "nodes.windows(2)",
        count: LENGTH - 1,
        parameters: [format!("[a, b]: [&{name}; 2]"), format!("[va, vb]: [&{velocity}; 2]")],
        arguments: ["[&q.nodes[i], &q.nodes[i + 1]]", "[&v.nodes[i], &v.nodes[i + 1]]"],
    };
    let own = seen("a");
    let square = group.pairing(&own.velocity, &own.velocity);
    each.kinetic(written, "inertia", &format!("0.6 * (1.0 + 0.2 * index as f64) * {square}"));
    let own = View::of([own]);
    let force = own.force_on(random, group);
    each.term(written, "force", "push", &velocity, &force);
    let work = group.pairing("m::push(data, t, i, &q.nodes[i], &v.nodes[i])", "along.nodes[i]");
    written.work.push(format!("+ (0..{LENGTH}).map(|i| {work}).sum::<f64>()"));
    let view = View::of([seen("a"), seen("b")]);
    pairs.kinetic(written, "coupled_nodes", &format!("0.5 * ({}).powi(2)", view.linear(random)));
    let stored =
        format!("data.weight * ({} - {} + 0.1 * index as f64).powi(2)", view.coordinate(random), view.smooth(random));
    pairs.potential(written, "stored_nodes", &stored);
    pairs.dissipation(written, "lost_nodes", &format!("0.3 * ({}).powi(2)", view.linear(random)));
    let [parameters, _] = &pairs.parameters;
    let strain = view.without_time().vector(random, 2, View::smooth);
    written.item(format!(
        "#[quantity(over = nodes.windows(2))]\n    pub fn strain(data: &Data, {parameters}) -> Vector2<f64> {{ {strain} }}"
    ));
    pairs.term(written, "force(at = strain)", "stress", &vector(2), &view.vector(random, 2, View::force));
    let [places, velocities] = pairs.arguments;
    written.work.push(format!(
        "+ (0..{}).map(|i| m::stress(data, t, i, {places}, {velocities})
                .dot(&slopes(|e| {{ let q = &moved(e); m::strain(data, {places}) }}))).sum::<f64>()",
        pairs.count
    ));
}

impl Elements {
    /// A function over the elements with access to all data; a term `at` something runs over the same elements.
    fn term(&self, written: &mut Written, role: &str, name: &str, ty: &str, body: &str) {
        let [places, velocities] = &self.parameters;
        let role = if role.contains('(') { role.to_owned() } else { format!("{role}(over = {})", self.over) };
        written.item(format!(
            "#[{role}]\n    pub fn {name}(data: &Data, t: f64, index: usize, {places}, {velocities}) -> {ty} {{ {body} }}"
        ));
    }

    fn kinetic(&self, written: &mut Written, name: &str, body: &str) {
        self.term(written, "kinetic_energy", name, "f64", body);
        let (count, [places, velocities]) = (self.count, self.arguments);
        written
            .lagrangian
            .push(format!("+ (0..{count}).map(|i| m::{name}(data, t, i, {places}, {velocities})).sum::<f64>()"));
    }

    fn potential(&self, written: &mut Written, name: &str, body: &str) {
        let (over, [parameters, _]) = (self.over, &self.parameters);
        written.item(format!(
            "#[potential(over = {over})]\n    pub fn {name}(data: &Data, t: f64, index: usize, {parameters}) -> f64 {{ {body} }}"
        ));
        let (count, [places, _]) = (self.count, self.arguments);
        written.lagrangian.push(format!("- (0..{count}).map(|i| m::{name}(data, t, i, {places})).sum::<f64>()"));
    }

    fn dissipation(&self, written: &mut Written, name: &str, body: &str) {
        self.term(written, "dissipation", name, "f64", body);
        let (count, [places, velocities]) = (self.count, self.arguments);
        written.work.push(format!(
            "- slope(|e| {{ let v = faster(e); (0..{count}).map(|i| m::{name}(data, t, i, {places}, {velocities})).sum::<f64>() }})"
        ));
    }
}

/// A connection of the chain with a single member.
fn joined(written: &mut Written, random: &mut Random, group: Group, single: &Seen) {
    let parameters = format!("a: &{}, b: &{}", group.name, single.group.name);
    let at = |group: Group, place: &str| Seen { group, place: format!("(*{place})"), velocity: String::new() };
    let view = View::of([at(group, "a"), at(single.group, "b")]);
    let stored = format!("(1.0 + index as f64) * ({} + {}).powi(2)", view.coordinate(random), view.smooth(random));
    written.item(format!(
        "#[potential(over = (nodes, m0))]\n    pub fn tied(data: &Data, t: f64, index: usize, {parameters}) -> f64 {{ {} * {stored} }}",
        number(random)
    ));
    written.lagrangian.push(format!("- (0..{LENGTH}).map(|i| m::tied(data, t, i, &q.nodes[i], &q.m0)).sum::<f64>()"));
    if LENGTH * group.dimension + single.group.dimension > 4 {
        let closure = view.closure(random, written.levels.len());
        written.item(format!(
            "#[constraint(over = (nodes.last(), m0))]\n    pub fn hung(data: &Data, t: f64, {parameters}) -> f64 {{ {closure} }}"
        ));
        written.holonomic("hung", &format!("m::hung(data, t, &q.nodes[{}], &q.m0)", LENGTH - 1));
    }
}
