"""Shapes and forms of values, files and figures."""

import copy
import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import liemech

GROUPS = """
    #[configuration]
    pub struct Everything {
        pub angle: SO2,
        pub attitude: SO3,
        pub quaternion: S3,
        pub pose: SE3,
        pub screw: S3R3,
        pub direction: S2,
        pub x: f64,
        pub point: R2,
        pub links: [SO3; 2],
        pub sliders: [f64; 3],
    }
    #[parameters]
    pub struct Data { pub stiffness: [f64; 3], pub inertia: Matrix3<f64>, pub rest: SO3 }
    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        let mut sum = v.attitude.dot(&(p.inertia * v.attitude)) + v.quaternion.norm_squared() + v.pose.norm_squared();
        sum += v.screw.norm_squared() + v.direction.norm_squared() + v.point.norm_squared() + v.angle * v.angle + v.x * v.x;
        for link in &v.links { sum += link.norm_squared(); }
        for slider in &v.sliders { sum += slider * slider; }
        0.5 * sum
    }
    #[potential]
    fn springs(p: &Data, q: &Everything) -> f64 {
        p.stiffness[0] * q.sliders[0] * q.sliders[0] + p.stiffness[2] * (p.rest.inverse() * q.attitude).log().norm_squared()
    }
"""
PARAMETERS = {"stiffness": [1.0, 0.0, 1.0], "inertia": np.eye(3), "rest": Rotation.identity()}


@pytest.fixture(scope="module")
def groups() -> liemech.Model:
    return liemech.model(GROUPS)


def test_shapes_of_all_groups(groups):
    run = groups.simulate(parameters=PARAMETERS, v0={"x": 1.0}, t_end=0.1, t_eval=[0.0, 0.05, 0.1])
    shapes = {
        "angle": (3,),
        "attitude": (3, 3, 3),
        "quaternion": (3, 4),
        "pose.rotation": (3, 3, 3),
        "pose.translation": (3, 3),
        "screw.rotation": (3, 4),
        "screw.translation": (3, 3),
        "direction": (3, 3),
        "x": (3,),
        "point": (3, 2),
        "links": (3, 2, 3, 3),
        "sliders": (3, 3),
        "velocity.pose": (3, 6),
        "velocity.links": (3, 2, 3),
        "velocity.angle": (3,),
        "energy.total": (3,),
    }
    assert {name: run[name].shape for name in shapes} == shapes
    assert all(run[name].dtype == np.float64 for name in shapes)
    np.testing.assert_array_equal(run["quaternion"][0], [1.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(run["links[1]"], run["links"][:, 1])
    np.testing.assert_array_equal(run["point.y"], run["point"][:, 1])
    assert "quaternion.x" not in run and "quaternion[1]" in run


def test_rotations_have_one_meaning(groups):
    rotation = Rotation.from_rotvec([0.3, -0.2, 0.9])
    x, y, z, w = rotation.as_quat()
    forms = [
        {"attitude": rotation, "quaternion": rotation, "pose": (rotation, [1.0, 2.0, 3.0]), "screw": (rotation, [1.0, 2.0, 3.0])},
        {
            "attitude": [w, x, y, z],
            "quaternion": [w, x, y, z],
            "pose": np.block([[rotation.as_matrix(), np.array([[1.0], [2.0], [3.0]])], [np.zeros((1, 3)), np.ones((1, 1))]]),
            "screw": [w, x, y, z, 1.0, 2.0, 3.0],
        },
        {"attitude": rotation.as_matrix(), "quaternion": np.array([w, x, y, z]), "pose": ([w, x, y, z], [1.0, 2.0, 3.0])},
    ]
    for form in forms:
        run = groups.simulate(parameters=PARAMETERS, q0=form, t_end=0.0)
        np.testing.assert_allclose(run["attitude"][0], rotation.as_matrix(), atol=1e-15)
        np.testing.assert_allclose(run["quaternion"][0], [w, x, y, z], atol=1e-15)
        np.testing.assert_allclose(run["pose.rotation"][0], rotation.as_matrix(), atol=1e-15)
        np.testing.assert_allclose(run["pose.translation"][0], [1.0, 2.0, 3.0])
        # Arrays are accepted by SciPy again.
        back = Rotation.from_matrix(run["attitude"][0])
        assert (back.inv() * rotation).magnitude() < 1e-14
    with pytest.raises(liemech.ModelError, match="last row") as caught:
        groups.simulate(parameters=PARAMETERS, q0={"pose": np.ones((4, 4))}, t_end=0.0)
    assert caught.value.name == "pose"


def test_lists_are_nested(groups):
    q0 = {"links": [np.eye(3), Rotation.from_rotvec([0.0, 0.0, 0.5])], "sliders": [1.0, 2.0, 3.0]}
    run = groups.simulate(parameters=PARAMETERS, q0=q0, t_end=0.0)
    np.testing.assert_array_equal(run["sliders"][0], [1.0, 2.0, 3.0])
    assert run["links[1][0][0]"][0] == pytest.approx(np.cos(0.5))
    one = groups.simulate(parameters=PARAMETERS, q0={"sliders[2]": 3.0}, t_end=0.0)
    np.testing.assert_array_equal(one["sliders"][0], [0.0, 0.0, 3.0])
    with pytest.raises(liemech.ModelError, match="has 3 elements, and 2 are given"):
        groups.simulate(parameters=PARAMETERS, q0={"sliders": [1.0, 2.0]}, t_end=0.0)


def test_models_are_described(top, groups):
    assert top.name == "heavy_top"
    assert top.parameters["inertia"].shape == (3, 3)
    assert top.parameters["mass"] == ("real", (), "The mass [kg].", "kg")
    assert top.members == {"attitude": ("SO(3)", 3), "position": ("R^3", 3)}
    assert top.constraints == {"pivot": 3} and top.events == ["level"] and top.observables == ["height"]
    assert groups.parameters["rest"].kind == "SO(3)"
    assert "attitude: SO(3)" in repr(top) and "mass" in repr(top)


def test_models_are_pickled_and_copied(top, heavy_top, start):
    assert pickle.loads(pickle.dumps(top)) == top and hash(pickle.loads(pickle.dumps(top))) == hash(top)
    assert copy.deepcopy(top) is top and copy.copy(top) is top
    expected = heavy_top.simulate(**start, t_end=0.01)
    for system in (pickle.loads(pickle.dumps(heavy_top)), copy.copy(heavy_top), copy.deepcopy(heavy_top)):
        run = system.simulate(**start, t_end=0.01)
        np.testing.assert_array_equal(run["position"], expected["position"])
    lighter = heavy_top.replace(mass=1.0)
    assert lighter.parameters["mass"] == 1.0 and heavy_top.parameters["mass"] == 15.0
    assert lighter.simulate(**start, t_end=0.01).energy[0] < expected.energy[0]


def test_runs_are_pickled_and_copied(heavy_top, start):
    run = heavy_top.simulate(**start, t_end=0.5, events=["level"])
    for other in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        assert other.names == run.names and str(other) == str(run) and other.statistics == run.statistics
        assert all(np.array_equal(other[name], run[name]) for name in run.names)
        assert [event.time for event in other.events] == [event.time for event in run.events] != []


def test_tables(heavy_top, start, tmp_path):
    run = heavy_top.simulate(**start, t_end=0.01, t_eval=[0.0, 0.005, 0.01])
    frame = run.to_pandas()
    assert frame.index.name == "t" and frame.shape[0] == 3
    np.testing.assert_array_equal(frame["position[2]"], run["position.z"])
    np.testing.assert_array_equal(frame["attitude[0][2]"], run["attitude"][:, 0, 2])
    assert {"velocity.position[0]", "multipliers.pivot[2]", "height", "energy.total"} <= set(frame.columns)
    assert list(run.to_pandas(["position", "energy.total"])) == ["position[0]", "position[1]", "position[2]", "energy.total"]
    path = tmp_path / "run.csv"
    run.to_csv(path)
    assert path.read_text().startswith("t,attitude[0][0],")
    table = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
    np.testing.assert_array_equal(table["position[1]"], run["position.y"])


def test_arrow_tables(heavy_top, start):
    run = heavy_top.simulate(**start, t_end=0.01, t_eval=[0.0, 0.005, 0.01])
    pyarrow = pytest.importorskip("pyarrow")
    table = run.to_arrow()
    assert table.column_names[0] == "t" and len(table) == len(run)
    np.testing.assert_array_equal(table["configuration.attitude"].combine_chunks().to_numpy_ndarray(), run["attitude"])
    assert run.to_arrow(["position.z"]).schema.types == [pyarrow.float64()] * 2


def test_figures(heavy_top, start, tmp_path):
    run = heavy_top.simulate(**start, t_end=0.01)
    figure = run.plot(["position", "energy.total"], title="Heavy top")
    panels = figure.get_axes()
    assert [len(panel.get_lines()) for panel in panels] == [3, 1]
    np.testing.assert_array_equal(panels[0].get_lines()[2].get_ydata(), run["position.z"])
    assert figure._repr_png_().startswith(b"\x89PNG")
    figure.savefig(tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 1000


def test_units_of_values_are_labels_of_figures():
    model = liemech.model("""
        #[configuration] pub struct Place {
            /// Position [m].
            pub position: R2,
            pub angle: f64,
        }
        #[inputs] pub struct Inputs {
            /// Force [N].
            pub push: f64,
        }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.position.norm_squared() + 0.5 * v.angle * v.angle }
        #[force(on = angle)] fn motor(u: &Inputs) -> f64 { u.push }
    """)
    run = model.simulate(inputs={"push": 1.0}, t_end=0.1)
    names = ["position", "position.y", "configuration.position[0]", "push", "angle", "velocity.position", "energy.total"]
    assert [run.unit(name) for name in names] == ["m", "m", "m", "N", None, None, None]
    with pytest.raises(liemech.ColumnError):
        run.unit("place")
    labels = [panel.get_ylabel() for panel in run.plot(["position.y", "push", "angle"]).get_axes()]
    assert labels == ["position.y [m]", "push [N]", "angle"]
    assert list(run.to_dict(["position"])) == ["position[0]", "position[1]"]
    assert pickle.loads(pickle.dumps(run)).unit("position") == "m"


def test_the_summary_is_the_representation(spring):
    run = spring.simulate(parameters={"stiffness": 1.0}, q0={"x": 1.0}, t_end=1.0)
    assert repr(run).startswith("<liemech.Run hedop5: ") and str(run).startswith("hedop5: ")
    assert len(run) == len(run.t) == run.statistics["accepted"] + 1


def test_reflections_are_not_rotations(groups):
    mirror = np.diag([1.0, 1.0, -1.0])
    for q0 in ({"attitude": mirror}, {"attitude": -np.eye(3)}, {"pose": (mirror, np.zeros(3))}):
        with pytest.raises(liemech.ModelError, match="determinant is -1") as caught:
            groups.simulate(parameters=PARAMETERS, q0=q0, t_end=0.0)
        assert (caught.value.kind, caught.value.name) == ("Reflection", next(iter(q0)))
    with pytest.raises(liemech.ModelError, match="`rest`: not a rotation matrix"):
        groups.system(PARAMETERS | {"rest": mirror})
    with pytest.raises(liemech.ModelError, match="a scalar is not finite"):
        groups.simulate(parameters=PARAMETERS, q0={"x": np.nan}, t_end=0.0)


def test_the_name_of_a_pose_is_not_its_velocity(groups):
    run = groups.simulate(parameters=PARAMETERS, v0={"pose": np.ones(6)}, t_end=0.1)
    for values in (run, run.state()):
        with pytest.raises(liemech.ColumnError, match=r"`pose` is a pose; its values are `pose\.rotation`"):
            values["pose"]
        assert "pose" not in values and "velocity.pose" in values
    np.testing.assert_array_equal(run.rotation("pose").as_matrix(), Rotation.from_matrix(run["pose.rotation"]).as_matrix())
    # Otherwise the velocity would have the derivatives of the configuration.
    settings = {"t_end": 0.1, "t_eval": [0.1], "v0": {"pose": np.ones(6)}}
    response = liemech.Response(groups.system(PARAMETERS), ["v.pose[3]"], ["pose"], **settings)
    with pytest.raises(liemech.ColumnError, match="is a pose"):
        response.jacobian(response.x0)


def test_components_of_states(groups):
    state = groups.simulate(parameters=PARAMETERS, q0={"point": [1.0, 2.0]}, t_end=0.0).state()
    assert state["point.y"] == 2.0 and state["point[0]"] == 1.0 and state["attitude[2][2]"] == 1.0
    assert "quaternion.x" not in state and state["pose.translation.z"] == 0.0


def test_runs_are_not_lists(spring):
    run = spring.simulate(parameters={"stiffness": 1.0}, q0={"x": 1.0}, t_end=1.0)
    with pytest.raises(TypeError, match=r"run\.state\(index\)"):
        run[0]
    assert list(run) == run.names


def test_systems_and_responses_do_not_follow_arrays_of_the_caller(groups):
    inertia, point = np.eye(3), np.ones(2)
    system = groups.system(PARAMETERS | {"inertia": inertia})
    settings = {"q0": {"point": point}, "v0": {"attitude": [1.0, 2.0, 3.0]}, "t_end": 1.0, "t_eval": [1.0]}
    response = liemech.Response(system, ["inertia[0][0]"], ["point", "velocity.attitude"], **settings)
    expected, values = system.simulate(**settings), response(response.x0)
    inertia[0, 0], point[:] = 9.0, 7.0
    system.parameters["inertia"][0, 0] = 9.0
    settings["q0"] = {"point": np.ones(2)}
    for other in (system, copy.copy(system), copy.deepcopy(system), pickle.loads(pickle.dumps(system)), system.replace(rest=np.eye(3))):
        assert other.parameters["inertia"][0, 0] == 1.0
        np.testing.assert_array_equal(other.simulate(**settings)["attitude"], expected["attitude"])
    np.testing.assert_array_equal(response.x0, [1.0])
    np.testing.assert_array_equal(response(response.x0), values)


def test_integers_are_finite():
    model = liemech.model("""
        #[configuration] pub struct Q { pub x: f64 }
        #[parameters] pub struct P { pub count: i32 }
        #[kinetic_energy] fn kinetic(p: &P, v: &Velocity) -> f64 { 0.5 * (p.count as f64) * v.x * v.x }
    """)
    for value in (1.5, np.nan, np.inf):
        with pytest.raises(liemech.ModelError, match="`count` is an integer"):
            model.system(count=value)
