//! `keyframe`: named configurations.

use roxmltree::Node;

use super::within::attributes;
use crate::frame::{Frame, Rotation};
use crate::model::{Coordinate, Joint, Keyframe, Link, Motion};
use crate::xml::{Read, Skipping, identifier, line, list, mistake};

/// The coordinates of a joint from the front of `qpos`, which is long enough.
fn coordinate(joint: &Joint, numbers: &mut impl Iterator<Item = f64>) -> Option<Coordinate> {
    let mut next = || numbers.next();
    Some(match joint.motion {
        Motion::Hinge(_) | Motion::Slide(_) | Motion::Planar(_) => Coordinate::Number(next()?),
        Motion::Ball => Coordinate::Rotation(Rotation::of_quaternion([next()?, next()?, next()?, next()?])?),
        Motion::Floating => {
            let position = [next()?, next()?, next()?];
            let rotation = Rotation::of_quaternion([next()?, next()?, next()?, next()?])?;
            Coordinate::Pose(Frame { rotation, position })
        }
    })
}

/// The keyframes that have a configuration.
pub(super) fn read(sections: &[Node], links: &[Link], skipping: &Skipping) -> Read<Vec<Keyframe>> {
    let joints: Vec<&Joint> =
        links.iter().filter_map(|link| link.above.as_ref()).flat_map(|above| &above.joints).collect();
    let size: usize = joints
        .iter()
        .map(|joint| match joint.motion {
            Motion::Ball => 4,
            Motion::Floating => 7,
            Motion::Hinge(_) | Motion::Slide(_) | Motion::Planar(_) => 1,
        })
        .sum();
    let mut found = vec![];
    for node in sections.iter().flat_map(Node::children).filter(|node| node.has_tag_name("key")) {
        attributes(node, &["name", "qpos"], &["time", "qvel", "act", "mpos", "mquat", "ctrl"], skipping)?;
        let written = node.attribute("name").map_or_else(|| format!("key_{}", found.len()), str::to_owned);
        let numbers = list(node, "qpos")?;
        let values = match numbers.len() {
            0 => vec![None; joints.len()],
            length if length == size => {
                let mut numbers = numbers.into_iter();
                joints.iter().map(|joint| coordinate(joint, &mut numbers)).collect()
            }
            length => {
                let help = format!("write {size} numbers, or none for the reference configuration");
                return mistake(node, format!("`qpos` of keyframe `{written}` has {length} numbers"), help);
            }
        };
        found.push(Keyframe { name: identifier(&written), written, line: line(node), values, gap: 0.0 });
    }
    Ok(found)
}
