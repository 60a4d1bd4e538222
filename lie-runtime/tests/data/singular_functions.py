"""Reference values of the singular functions: `python3 singular_functions.py > singular_functions.csv`.

Every argument is an exact f64 (written as its bits in hexadecimal), every value is computed with 60 digits by mpmath from the
power series, except gamma: from the cotangent. `--tables` prints the coefficients that src/singular/ holds instead.
"""

import struct
import sys

from mpmath import fac, mp, mpf, pi, sqrt, zeta

mp.dps = 60


def stumpff(k, n, z):
    """sum over j of (-1)^(j+n) (j+n)!/j! z^j / (2j+2n+k)!"""
    return mp.fsum((-1) ** (j + n) * fac(j + n) / fac(j) * z**j / fac(2 * j + 2 * n + k) for j in range(90))


def gamma(n, z):
    """n-th derivative of (1 - (x/2) cot(x/2)) / x^2: forty poles and the power series of the others."""
    poles = 40
    total = mp.fsum(2 * fac(n) / (4 * pi**2 * m**2 - z) ** (n + 1) for m in range(1, poles + 1))
    for j in range(120):
        tail = zeta(2 * (j + n) + 2, poles + 1)  # Hurwitz: sum over m > poles
        total += 2 * fac(j + n) / fac(j) * tail / (2 * pi) ** (2 * (j + n) + 2) * z**j
    return total


def arctangent(n, y):
    """n-th derivative of atan(sqrt y) / sqrt y by its positive (Euler) series."""
    t, term, total, j = y / (1 + y), mpf(1), mpf(0), 0
    while j < 12 or term > mpf(10) ** -58:
        total += term
        j += 1
        term *= 2 * (n + j) * t / (2 * (n + j) + 1)
    return (-1) ** n * fac(n) / (1 + y) ** (n + 1) / (2 * n + 1) * total


def bits(z):
    return struct.pack(">d", z).hex()


def angles():
    grid = [10.0 ** (e / 2) for e in range(-40, 1)] + [10.0**e for e in (-300, -200, -154, -100, -50, -30)]
    grid += [float(pi) * i / 40 for i in range(1, 41)] + [0.07 * i for i in range(1, 20)]
    for switch in (0.5, sqrt(10), pi, pi / 2):  # neighbours of every place where the evaluation changes
        grid += [float(switch * (1 + s * mpf(2) ** -e)) for e in (52, 50, 40, 20, 10) for s in (-1, 1)]
        grid.append(float(switch))
    return sorted(x for x in grid if x <= 3.1415926535897936)


def tables():
    size = 16
    print("// cos(x) / (pi^2/4 - z)")
    a = [(-1) ** j / fac(2 * j) for j in range(80)]
    b = [(-1) ** j / fac(2 * j + 1) for j in range(80)]
    for coefficients, root in ((a, pi**2 / 4), (b, pi**2)):
        # p(z) = (root - z) h(z):  h_j = sum_{i <= j} p_i root^(i-j-1) = -sum_{i > j} p_i root^(i-j-1)
        h = [-mp.fsum(coefficients[i] * root ** (i - j - 1) for i in range(j + 1, 80)) for j in range(size)]
        print(",\n".join(repr(float(c)) for c in h), "\n")
        high = float(root)
        print("root", repr(high), repr(float(root - high)))
    print("4 pi^2", repr(float(4 * pi**2)), repr(float(4 * pi**2 - float(4 * pi**2))))
    for skipped in (0, 2):
        print("gamma without", skipped)
        for j in range(28):
            print(repr(float(2 * zeta(2 * j + 2, skipped + 1) / (2 * pi) ** (2 * j + 2))), end=",\n")


def main():
    if "--tables" in sys.argv:
        return tables()
    print("function,order,argument,value")
    for x in angles():
        z = x * x
        exact = mpf(z)
        for k in range(5):
            for n in range(3):
                print(f"c{k},{n},{bits(z)},{mp.nstr(stumpff(k, n, exact), 20)}")
        for n in range(3):
            print(f"gamma,{n},{bits(z)},{mp.nstr(gamma(n, exact), 20)}")
    for x in [x for x in angles() if x <= 1] + [128**-0.5, 128**-0.5 * (1 - 2**-50), 128**-0.5 * (1 + 2**-50), 1.5, 3.0]:
        y = x * x
        for n in range(3):
            print(f"arctangent,{n},{bits(y)},{mp.nstr(arctangent(n, mpf(y)), 20)}")


main()
