"""Exceptions, warnings and interrupts."""

import os
import pickle
import re
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import liemech


def test_declaration_errors_have_positions():
    text = """
#[configuration] pub struct Angle { pub arm: SO2 }
#[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.arm * v.arm }
#[potential] fn weight(q: &Angle) -> f64 { -9.81 * q.angle.cos() }
"""
    with pytest.raises(liemech.DeclarationError) as caught:
        liemech.model(text)
    error = caught.value
    assert (error.line, error.column) == (4, text.splitlines()[3].index("angle.cos") + 1)
    assert error.diagnostics[0]["code"] == "body" and error.kind == "Declaration"
    assert str(error).startswith("error[body]: the configuration has no field `angle`")
    assert "4 | #[potential]" in str(error) and "^^^^^" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.diagnostics == error.diagnostics


def test_declaration_errors_name_their_file(tmp_path):
    path = tmp_path / "broken.rs"
    path.write_text("#[mechanical_system]\nmod broken {\n    #[configuration] pub struct Q { pub x: Nothing }\n}\n")
    with pytest.raises(liemech.DeclarationError, match=r"broken\.rs:3:") as caught:
        liemech.load(path)
    assert caught.value.diagnostics[0]["file"] == str(path)
    with pytest.raises(FileNotFoundError):
        liemech.load(tmp_path / "missing.rs")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mass": None}, "`mass` have no value"),
        ({"masses": 1.0}, "no parameter `masses`; it has `mass`, `inertia`"),
        ({"mass": [1.0, 2.0]}, r"the shape \(\), and an array of the shape \(2,\)"),
        ({"inertia": [1.0, 2.0, 3.0]}, "numpy.diag"),
        ({"mass": "heavy"}, "not an array of numbers"),
        ({"mass": np.nan}, "`mass`"),
    ],
)
def test_parameters_are_checked(heavy_top, change, message):
    values = {**heavy_top.parameters, **change}
    values = {name: value for name, value in values.items() if value is not None}
    with pytest.raises(liemech.ModelError, match=message):
        heavy_top.model.system(values)


def test_initial_values_are_checked(heavy_top, start):
    with pytest.raises(liemech.ModelError, match="no member `positoin`"):
        heavy_top.simulate(q0={"positoin": [0.0, 1.0, 0.0]}, t_end=1.0)
    with pytest.raises(liemech.ModelError) as caught:
        heavy_top.simulate(q0={"attitude": np.diag([1.0, 1.0, 1.1])}, t_end=1.0)
    assert (caught.value.kind, caught.value.name, caught.value.group) == ("NotInGroup", "attitude", "SO(3)")
    with pytest.raises(liemech.ModelError) as caught:
        heavy_top.simulate(v0={"attitude": [1.0, 2.0]}, t_end=1.0)
    assert (caught.value.expected, caught.value.given) == (3, 2)
    with pytest.raises(liemech.ConsistencyError, match="pivot") as caught:
        heavy_top.simulate(q0={"position": [0.0, 2.0, 0.0]}, v0=start["v0"], t_end=1.0)
    assert caught.value.kind == "InitialValues" and len(caught.value.run) == 0
    # The help of the message is a Python argument, and it works.
    limit = re.search(r"`max_initial_correction=([^`]*)`", str(caught.value))
    assert limit is not None and "fix_initial=" in str(caught.value)
    run = heavy_top.simulate(q0={"position": [0.0, 2.0, 0.0]}, t_end=0.01, max_initial_correction=float(limit[1]))
    assert run.initial_corrections[0] > 0.1


def test_parameters_are_elements_of_their_group():
    model = liemech.model("""
        #[configuration] pub struct Attitude { pub attitude: SO3 }
        #[parameters] pub struct Spring { pub rest: SO3 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.attitude.norm_squared() }
        #[potential] fn spring(p: &Spring, q: &Attitude) -> f64 { (p.rest.inverse() * q.attitude).log().norm_squared() }
    """)
    with pytest.raises(liemech.ModelError) as caught:
        model.system(rest=np.diag([1.0, 1.0, 1.1]))
    assert (caught.value.kind, caught.value.name) == ("NotInGroup", "rest")
    # The square of the angle 2 arctan(3/4).
    run = model.simulate(parameters={"rest": [0.8, 0.0, 0.6, 0.0]}, t_end=0.0)
    assert run.energy[0] == pytest.approx((2.0 * np.arctan(0.75)) ** 2, rel=1e-14)


def test_settings_are_checked(heavy_top, start):
    with pytest.raises(liemech.SetupError, match="missing end time; set `t_end=end`"):
        heavy_top.simulate(**start)
    with pytest.raises(liemech.SetupError, match="set `step=h`"):
        heavy_top.simulate(**start, t_end=1.0, method="rattlie")
    with pytest.raises(liemech.MethodError, match="did you mean `hedop5`") as caught:
        heavy_top.simulate(**start, t_end=1.0, method="hedop")
    assert caught.value.kind == "Unknown"
    with pytest.raises(liemech.MethodError, match="unknown option `size`"):
        heavy_top.simulate(**start, t_end=1.0, options={"size": 1})
    with pytest.raises(liemech.SetupError, match="the events are `level`"):
        heavy_top.simulate(**start, t_end=1.0, events=["levels"])


def test_failed_runs_have_their_states(heavy_top, start):
    with pytest.raises(liemech.SimulationError, match=r"max_steps=\.\.\.") as caught:
        heavy_top.simulate(**start, t_end=1.0, max_steps=20)
    error = caught.value
    assert error.kind == "Limit" and 0.0 < error.time < 1.0 and error.run.t[-1] == error.time
    assert len(error.run) == 21 and error.run["position"].shape == (21, 3)
    again = pickle.loads(pickle.dumps(error))
    assert again.time == error.time and len(again.run) == 21


def test_remedies_are_arguments_of_python(heavy_top, start):
    def message(**settings):
        with pytest.raises(liemech.LiemechError) as caught:
            heavy_top.simulate(**start, **settings)
        return str(caught.value)

    assert re.search(r"Set `rtol=[0-9.]+e-\d+, atol=1e-40`, or", message(t_end=1.0, rtol=0.0, atol=1e-40))
    assert "`.event" not in message(t_end=1.0, events=["levels"])
    states = message(t_end=1e3, step=1e-3, max_bytes=1000)
    assert "record fewer states with `output_every=n` or `t_eval=times`, or set `max_bytes=...`" in states
    assert "set `max_steps=...`" in message(t_end=1.0, step=1e-3, max_steps=20)
    chain = """
        #[configuration] pub struct Chain { pub nodes: Vec<R1> }
        #[kinetic_energy(over = nodes)] fn kinetic(v: &Vector1<f64>) -> f64 { 0.5 * v.norm_squared() }
    """
    for lengths in ({}, {"nodes": 2, "links": 3}):
        with pytest.raises(liemech.DeclarationError) as caught:
            liemech.model(chain, lengths=lengths)
        assert "ModelLengths" not in str(caught.value)
        if not lengths:
            assert caught.value.help == "give the length: `lengths={\"nodes\": 5}`"


def test_warnings_of_runs_are_python_warnings(spring):
    system = spring.system(stiffness=1.0)
    with pytest.warns(liemech.RunWarning, match="NumericalDissipation"):
        run = system.simulate(q0={"x": 1.0}, t_end=1.0, step=0.1, method="lie_alpha")
    assert len(run.warnings) == 1 and "warning: " in str(run)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert system.simulate(q0={"x": 1.0}, t_end=1.0).warnings == []


def test_unknown_names_have_suggestions(spring):
    run = spring.simulate(parameters={"stiffness": 1.0}, q0={"x": 1.0}, t_end=1.0)
    with pytest.raises(liemech.ColumnError, match="did you mean `force`"):
        run["forec"]
    assert "forec" not in run and "x" in run and 3 not in run
    with pytest.raises(KeyError):
        run["x[0]"]


# A run that takes minutes unless it is interrupted.
ENDLESS = {"q0": {"x": 1.0}, "t_end": 1e6, "step": 1e-3, "method": "rkmk4", "output_every": 1_000_000}


def test_ctrl_c_ends_a_run(spring):
    system = spring.system(stiffness=1.0)
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    # A shell starts background processes with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            system.simulate(**ENDLESS)
    finally:
        signal.signal(signal.SIGINT, before)
    # Ten checks a second, and a margin for a busy computer.
    assert time.perf_counter() - sent[0] < 2.0
    timer.join()
    assert isinstance(caught.value, liemech.Interrupted) and not isinstance(caught.value, Exception)
    assert caught.value.run.t[-1] > 0.0 and caught.value.run.stopped == caught.value.run.t[-1]


def test_ctrl_c_ends_the_search_for_an_orbit():
    pendulum = liemech.model("""
        #[configuration] pub struct Angle { pub theta: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.theta * v.theta }
        #[potential] fn weight(q: &Angle) -> f64 { -q.theta.cos() }
    """).system()

    def search(steps):
        # The defect cannot reach this tolerance, so that there are many attempts.
        pendulum.periodic_orbit({"theta": 1.5}, period_guess=7.4, steps=steps, tolerance=1e-30)

    begin = time.process_time()
    with pytest.raises(liemech.OrbitError, match="in [0-9]+ iterations"):
        search(2_000)
    short = time.process_time() - begin
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    begin = time.process_time()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            search(20_000)
    finally:
        signal.signal(signal.SIGINT, before)
        timer.join()
    # The whole search takes ten times as long as the short one.
    assert time.process_time() - begin < 4.0 * short


def test_progress_is_reported_and_its_errors_end_the_run(spring):
    system = spring.system(stiffness=1.0)
    times = []

    def progress(time_of_motion):
        times.append((time.perf_counter(), time_of_motion))
        if len(times) == 3:
            raise ZeroDivisionError("no more")

    with pytest.raises(ZeroDivisionError, match="no more"):
        system.simulate(**ENDLESS, progress=progress)
    calls, motion = np.array(times).T
    assert np.all(np.diff(calls) > 0.099) and np.all(np.diff(motion) > 0.0)


def test_other_threads_run_during_a_simulation(spring):
    system = spring.system(stiffness=1.0)
    finished = threading.Event()
    failures = []

    def simulate():
        try:
            system.simulate(**ENDLESS, max_seconds=0.5)
        except liemech.SimulationError as error:
            failures.append(error.kind)
        finished.set()

    thread = threading.Thread(target=simulate)
    thread.start()
    count = 0
    while not finished.is_set():
        # Each wait needs the interpreter lock; a held lock would allow one iteration.
        finished.wait(0.01)
        count += 1
    thread.join()
    assert failures == ["Limit"] and count > 10


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"t_end": "1"}, TypeError, "t_end='1' has a wrong type: "),
        ({"output_every": 1.5}, TypeError, "output_every=1.5 has a wrong type"),
        ({"max_steps": -1}, TypeError, "max_steps=-1 has a wrong type"),
        ({"q0": [1.0]}, TypeError, "each member are a mapping of names"),
        ({"q0": {"x": None}}, liemech.ModelError, "`x` is None"),
        ({"options": "size"}, TypeError, "options=... is a mapping"),
        ({"contacts": ["floor"]}, TypeError, "contacts=... is a mapping"),
        ({"inputs": {"push": np.sin}}, TypeError, r"use a table \(times, values\), or controller="),
        ({"inputs": {"push": "sin(t)"}}, liemech.ModelError, "`push` is not an array of numbers"),
        ({"controller": 3.0}, TypeError, r"a pair \(period, function\)"),
        ({"controller": (0.1, 3.0)}, TypeError, r"a pair \(period, function\)"),
        ({"progress": 3.0}, TypeError, "progress=... is a function"),
        ({"events": {"center": 3.0}}, TypeError, "a mapping of names to events and functions"),
        ({"events": [np.sin]}, TypeError, "a list of names"),
        ({"events": {"center": liemech.Event(direction=2)}}, ValueError, "the direction of the event 'center'"),
        # Other times would have the values of these times.
        ({"t_eval": [0.5, 0.2]}, ValueError, "must increase"),
        ({"t_eval": [0.5, 0.5]}, ValueError, "must increase"),
        ({"max_step": 0.0}, liemech.SetupError, "the maximum step is 0.0; it must be positive"),
    ],
)
def test_types_of_settings_are_checked(spring, settings, error, message):
    with pytest.raises(error, match=message):
        spring.simulate(**{"parameters": {"stiffness": 1.0}, "q0": {"x": 1.0}, "t_end": 1.0} | settings)


def test_arguments_of_models_are_checked(tmp_path):
    with pytest.raises(TypeError, match="a declaration is text"):
        liemech.model(3)
    with pytest.raises(ValueError, match="liemech.load reads a file"):
        liemech.model("heavy_top.rs")
    chain = "#[configuration] pub struct Q { pub x: Vec<f64> } #[kinetic_energy(over = x)] fn k(v: &f64) -> f64 { 0.5 * v * v }"
    with pytest.raises(liemech.DeclarationError, match="`lengths={\"x\": 5}`") as caught:
        liemech.model(chain)
    assert 'lengths={"x": 5}' in caught.value.help
    for length in (-1, 2.5, "3"):
        with pytest.raises(ValueError, match="is a positive integer"):
            liemech.model(chain, lengths={"x": length})
    with pytest.raises(TypeError, match="lengths=... is a mapping"):
        liemech.model(chain, lengths=[3])
    with pytest.raises(TypeError, match="the option 'friction' is text"):
        liemech.urdf(tmp_path / "robot.urdf", friction=0.01)
