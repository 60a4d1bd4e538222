"""The heavy top about its fixed point and its gradient by CasADi, beside those of the bench `gradients`. Needs gcc and casadi 3.8:

    python3 -m venv casadi && casadi/bin/pip install casadi
    cargo bench -p lie-runtime --bench gradients -- unconstrained \\
        | casadi/bin/python lie-runtime/benches/unconstrained_top/by_casadi.py

The same thousand steps twice: by the same method, RKMK4 on SO(3), which has to give the same numbers, and as one would write it there, by RK4 on
unit quaternions. The step is a function of scalars (SX), the run a thousand calls of it (MX), the gradient CasADi's reverse mode; both are run by its
interpreter, and as the C that it generates. What the bench says is read from the standard input: its value, its gradient, its row of the table.
"""

import subprocess
import sys
import tempfile
import time

import casadi as ca

STEPS, H = 1000, 1e-3
#         mass, inertia by rows,                                centre,    gravity,
DATA = [15.0, 0.25, 0.01, 0.0, 0.01, 0.47, 0.02, 0.0, 0.02, 0.23, 0, 1, 0, 0, 0, -9.81]
#        how the first attitude is turned, first angular velocity
START = [0, 0, 0, 0.0, 150.0, -4.61538]


def of_data(z):
    """J about the fixed point, its inverse, c, m g."""
    m, inertia, c, g = z[0], ca.reshape(z[1:10], 3, 3), z[10:13], z[13:16]
    j = (inertia + inertia.T) / 2 + m * (ca.dot(c, c) * ca.SX.eye(3) - c @ c.T)
    return ca.vertcat(ca.vec(j), ca.vec(ca.inv_minor(j)), c, m * g)


def acceleration(r, w, p):
    j, inverse, c, weight = ca.reshape(p[:9], 3, 3), ca.reshape(p[9:18], 3, 3), p[18:21], p[21:24]
    return inverse @ (ca.cross(j @ w, w) + ca.cross(c, r.T @ weight))


def exp(u):
    t = ca.norm_2(u)
    return ca.SX.eye(3) + ca.sin(t) / t * ca.skew(u) + (1 - ca.cos(t)) / t**2 * ca.skew(u) @ ca.skew(u)


def rate(u, w):
    """u' where R exp(u) turns with w."""
    t = ca.norm_2(u)
    return w + ca.cross(u, w) / 2 + (1 - t / 2 * ca.cos(t / 2) / ca.sin(t / 2)) / t**2 * ca.cross(u, ca.cross(u, w))


def rkmk4(x, p):
    r, w = ca.reshape(x[:9], 3, 3), x[9:]
    stages = [(w, acceleration(r, w, p))]
    for c in (H / 2, H / 2, H):
        u, v = c * stages[-1][0], w + c * stages[-1][1]
        stages.append((rate(u, v), acceleration(r @ exp(u), v, p)))
    u, v = (H / 6 * sum(b * stage[at] for b, stage in zip((1, 2, 2, 1), stages)) for at in (0, 1))
    return ca.vertcat(ca.vec(r @ exp(u)), w + v)


def rotation(q):
    s, v = q[0], q[1:]
    return (s * s - ca.dot(v, v)) * ca.SX.eye(3) + 2 * v @ v.T + 2 * s * ca.skew(v)


def rk4(x, p):
    def field(x):
        q, w = x[:4], x[4:]
        turn = ca.vertcat(-ca.dot(q[1:], w), q[0] * w + ca.cross(q[1:], w)) / 2
        return ca.vertcat(turn, acceleration(rotation(q), w, p))

    k1 = field(x)
    k2 = field(x + H / 2 * k1)
    k3 = field(x + H / 2 * k2)
    k4 = field(x + H * k3)
    return x + H / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def on_matrices(z):
    """R = exp(0) exp(θ), to first order in θ = 0, which is all that its derivative there needs."""
    return ca.vertcat(ca.vec(ca.SX.eye(3) + ca.skew(z[16:19])), z[19:22])


def on_quaternions(z):
    return ca.vertcat(1, z[16:19] / 2, z[19:22])


def functions(step, start, rotated):
    z, p = ca.SX.sym("z", 22), ca.SX.sym("p", 24)
    data, first = ca.Function("data", [z], [of_data(z)]), ca.Function("first", [z], [start(z)])
    x = ca.SX.sym("x", first.size1_out(0))
    step = ca.Function("step", [x, p], [step(x, p)])
    end = ca.Function("end", [x], [rotated(x)[0, 1]])
    z = ca.MX.sym("z", 22)
    x, p = first(z), data(z)
    for _ in range(STEPS):  # `mapaccum` would be compiled in seconds, and go back half as fast.
        x = step(x, p)
    j = end(x)
    return ca.Function("run", [z], [j]), ca.Function("gradient", [z], [j, ca.gradient(j, z)])


def compiled(function):
    name, folder = function.name(), tempfile.mkdtemp()
    source = ca.CodeGenerator(name + ".c")
    source.add(function)
    source.generate(folder + "/")
    clock = time.perf_counter()
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", f"{folder}/{name}.c", "-o", f"{folder}/{name}.so", "-lm"], check=True)
    print(f"    gcc -O2 of {name}: {time.perf_counter() - clock:.1f} s", file=sys.stderr)
    return ca.external(name, f"{folder}/{name}.so")


def least(function, at):
    """Milliseconds, the least of many."""
    buffer, evaluate = function.buffer()
    point, results = ca.DM(at).full(), [ca.DM.zeros(function.sparsity_out(i)).full() for i in range(function.n_out())]
    buffer.set_arg(0, memoryview(point))
    for index, result in enumerate(results):
        buffer.set_res(index, memoryview(result))
    times = []
    while len(times) < 10 or sum(times) < 1.5:
        clock = time.perf_counter()
        evaluate()
        times.append(time.perf_counter() - clock)
    return 1e3 * min(times)


def difference(own, theirs):
    """The largest difference of two lists of numbers, by the largest number."""
    return max(abs(a - b) for a, b in zip(own, theirs, strict=True)) / max(map(abs, own))


told = [] if sys.stdin.isatty() else [line for line in map(str.strip, sys.stdin) if line]
rows = [line for line in told if line.startswith("|")]
numbers = [[float(number) for number in line.split()] for line in told if not line.startswith("|")]
for name, parts in {
    "RKMK4 on SO(3)": (rkmk4, on_matrices, lambda x: ca.reshape(x[:9], 3, 3)),
    "RK4 on quaternions": (rk4, on_quaternions, lambda x: rotation(x[:4])),
}.items():
    run, gradient = functions(*parts)
    results = [result.full().ravel().tolist() for result in gradient(DATA + START)]
    print(f"{name}: {results[0][0]:.15e}")
    print(" ".join(f"{slope:.15e}" for slope in results[1]))
    if numbers:
        value, slopes = (difference(own, theirs) for own, theirs in zip(numbers, results, strict=True))
        print(f"off the bench, by the largest: the value by {value:.1e}, the gradient by {slopes:.1e}")
    for how, made in {"interpreted": lambda f: f, "gcc -O2": compiled}.items():
        times = [least(made(function), DATA + START) for function in (run, gradient)]
        rows.append(f"| CasADi {ca.__version__}, {how} | {name} | 16 | {times[0]:.2f} | {times[1]:.2f} | {times[1] / times[0]:.2f} |")
print("| system | method | parameters | run [ms] | gradient [ms] | ratio |\n|---|---|---|---|---|---|")
print("\n".join(rows))
