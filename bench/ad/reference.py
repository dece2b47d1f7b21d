# SPDX-License-Identifier: Apache-2.0
"""Reference values and gradients of the benchmark problems, in JAX (float64).

    python reference.py            # writes reference.json
    python reference.py --check F  # compares a JSON-lines file F with it

The inputs repeat inputs.hpp bit for bit. A gradient is recorded whole when it
is short; otherwise as its sum, its Euclidean norm and samples taken at a fixed
stride. Each record names the order in which the inputs are flattened.
"""
import json
import math
import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

MASK = (1 << 64) - 1


class Random:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self, low, high):
        return low + (high - low) * ((self.next() >> 11) * 2.0**-53)

    def array(self, count, low, high):
        return np.array([self.uniform(low, high) for _ in range(count)])

    def below(self, bound):
        return self.next() % bound


# --- Gaussian mixture ---------------------------------------------------------


def gmm(d, k, n, gamma=1.0, m=0):
    random = Random(1)
    alpha = random.array(k, -1, 1)
    mu = random.array(k * d, -1, 1)
    q = random.array(k * d, -0.5, 0.5)
    l = random.array(k * (d * (d - 1) // 2), -0.5, 0.5)
    x = random.array(n * d, -1, 1).reshape(n, d)
    rows = np.array([i for j in range(d) for i in range(j + 1, d)], dtype=int)
    cols = np.array([j for j in range(d) for i in range(j + 1, d)], dtype=int)
    nu = d + m + 1
    log_gamma_d = 0.25 * d * (d - 1) * math.log(math.pi) + sum(
        math.lgamma(0.5 * nu + 0.5 * (1 - j)) for j in range(1, d + 1))
    constant = (k * (nu * d * math.log(gamma / math.sqrt(2)) - log_gamma_d)
                - 0.5 * n * d * math.log(2 * math.pi))

    def objective(alpha, mu, q, l):
        mu, q, l = mu.reshape(k, d), q.reshape(k, d), l.reshape(k, -1)
        factor = jax.vmap(lambda q, l: jnp.diag(jnp.exp(q)).at[rows, cols].set(l))(q, l)
        y = jnp.einsum("kij,nkj->nki", factor, x[:, None, :] - mu[None])
        beta = alpha + q.sum(1) - 0.5 * (y * y).sum(-1)
        lse = jax.scipy.special.logsumexp
        return (constant + lse(beta, axis=1).sum() - n * lse(alpha)
                - 0.5 * gamma**2 * (factor * factor).sum() + m * q.sum())

    return objective, (alpha, mu, q, l), "alpha, mu, q, l"


# --- Bundle adjustment --------------------------------------------------------


def residual(camera, point, weight, feature):
    r, p = camera[:3], point - camera[3:6]
    angle_squared = r @ r
    angle = jnp.sqrt(angle_squared)
    seen = (jnp.cos(angle) * p + jnp.sin(angle) / angle * jnp.cross(r, p)
            + (1 - jnp.cos(angle)) / angle_squared * (r @ p) * r)
    uv = seen[:2] / seen[2]
    radius = uv @ uv
    pixel = (camera[6] * uv * (1 + camera[9] * radius + camera[10] * radius**2)
             + camera[7:9])
    return jnp.append(weight * (pixel - feature), 1 - weight**2)


def ba_inputs(cameras, points, observations):
    random = Random(2)
    camera, point = [], []
    for _ in range(cameras):
        camera.append([random.uniform(-0.2, 0.2) for _ in range(3)]
                      + [random.uniform(-1, 1) for _ in range(3)]
                      + [random.uniform(400, 600)]
                      + [random.uniform(-5, 5) for _ in range(2)]
                      + [random.uniform(-0.1, 0.1) for _ in range(2)])
    for _ in range(points):
        point.append([random.uniform(-2, 2) for _ in range(2)]
                     + [random.uniform(4, 8)])
    weight = random.array(observations, 0.5, 1.5)
    feature = random.array(2 * observations, -100, 100).reshape(-1, 2)
    pairs = np.array([[random.below(cameras), random.below(points)]
                      for _ in range(observations)])
    return np.array(camera), np.array(point), weight, feature, pairs


def ba_evaluate(cameras, points, observations):
    camera, point, weight, feature, pairs = ba_inputs(cameras, points, observations)

    def one(c, p, w, f):
        return residual(c, p, w, f)[:2]

    jacobian = jax.jit(jax.vmap(jax.jacfwd(one, argnums=(0, 1, 2))))
    args = camera[pairs[:, 0]], point[pairs[:, 1]], weight, feature
    by_camera, by_point, by_weight = jacobian(*args)
    whole = jnp.concatenate([by_camera, by_point, by_weight[..., None]], axis=-1)
    values = jax.vmap(residual)(*args)
    return np.asarray(values), np.asarray(whole).reshape(observations, 30)


# --- Diagonal recurrent network -----------------------------------------------


def lstm(width, layers, length):
    random = Random(3)
    weights = random.array(8 * width * layers, -1, 1)
    readout = random.array(3 * width, -1, 1)
    start = random.array(2 * width * layers, -0.5, 0.5).reshape(layers, 2, width)
    sequence = np.array([float(random.below(2)) for _ in range(width * length)])
    sequence = sequence.reshape(length, width)

    def objective(weights, readout):
        weights = weights.reshape(layers, 2, 4, width)
        readout = readout.reshape(3, width)
        sigmoid = lambda v: 1 / (1 + jnp.exp(-v))

        def advance(state, pair):
            given, target = pair
            signal, after = given * readout[0], []
            for layer in range(layers):
                (w, b), (hidden, cell) = weights[layer], state[layer]
                forget = sigmoid(signal * w[0] + b[0])
                in_ = sigmoid(hidden * w[1] + b[1])
                out = sigmoid(signal * w[2] + b[2])
                change = jnp.tanh(hidden * w[3] + b[3])
                cell = cell * forget + in_ * change
                signal = out * jnp.tanh(cell)
                after.append(jnp.stack([signal, cell]))
            output = signal * readout[1] + readout[2]
            log_normaliser = jnp.log(2 + jnp.exp(output).sum())
            return jnp.stack(after), (target * (output - log_normaliser)).sum()

        _, terms = jax.lax.scan(advance, jnp.array(start), (sequence[:-1], sequence[1:]))
        return -terms.sum() / (width * (length - 1))

    return objective, (weights, readout), "weights, readout"


# --- Runge-Kutta, scalar loop -------------------------------------------------


def ode(n, steps):
    x = Random(4).array(n, 0.5, 1.5)
    h = 2.0 / steps

    def slope(x, y):
        return jnp.concatenate([x[:1], x[1:] * y[:-1]])

    def objective(x):
        def advance(y, _):
            k1 = slope(x, y)
            k2 = slope(x, y + 0.5 * h * k1)
            k3 = slope(x, y + 0.5 * h * k2)
            k4 = slope(x, y + h * k3)
            return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        y, _ = jax.lax.scan(advance, jnp.zeros(n), None, length=steps)
        return y[-1]

    return objective, (x,), "x"


def loop(n):
    def objective(a, b, start):
        def advance(y, _):
            y = jnp.sin(a * y) + b * jnp.exp(-y * y)
            return y, y

        _, ys = jax.lax.scan(advance, start, None, length=n)
        return ys.sum() / n

    return objective, (1.3, 0.4, 0.2), "a, b, start"


# --- Hand ---------------------------------------------------------------------

BONES = 22


def hand(vertices, count):
    random = Random(5)
    parents, at_rest, inverse, world = [], [], [], np.zeros((BONES, 3))
    for bone in range(BONES):
        parent = -1 if bone == 0 else 0 if bone == 1 else 1 if (bone - 2) % 4 == 0 else bone - 1
        parents.append(parent)
        local, back = np.eye(4), np.eye(4)
        for r in range(3):
            local[r, 3] = random.uniform(-0.5, 0.5) + (1.0 if r == 1 else 0.0)
            world[bone, r] = local[r, 3] + (0.0 if parent < 0 else world[parent, r])
            back[r, 3] = -world[bone, r]
        at_rest.append(local)
        inverse.append(back)
    positions = random.array(3 * vertices, -1, 5).reshape(vertices, 3)
    weights = np.zeros((BONES, vertices))
    for v in range(vertices):
        one, two = random.below(BONES), random.below(BONES)
        share = random.uniform(0, 1)
        weights[one, v] += share
        weights[two, v] += 1.0 - share
    matches = np.array([random.below(vertices) for _ in range(count)])
    points = random.array(3 * count, -1, 5).reshape(count, 3)
    theta = random.array(26, -0.6, 0.6)
    homogeneous = np.hstack([positions, np.ones((vertices, 1))])
    at_rest, inverse = np.array(at_rest), np.array(inverse)

    def about(axis, angle):
        c, s = jnp.cos(angle), jnp.sin(angle)
        i, j = [(1, 2), (2, 0), (0, 1)][axis]
        return (jnp.eye(4).at[i, i].set(c).at[j, j].set(c)
                .at[i, j].set(-s).at[j, i].set(s))

    def misfit(theta):
        absolute = []
        for bone in range(BONES):
            placed = at_rest[bone] if parents[bone] < 0 else absolute[parents[bone]] @ at_rest[bone]
            finger, segment = (bone - 2) // 4, (bone - 2) % 4
            if bone >= 2 and segment == 0:
                placed = placed @ about(2, theta[6 + 4 * finger + 1]) @ about(0, theta[6 + 4 * finger])
            elif bone >= 2 and segment < 3:
                placed = placed @ about(0, theta[6 + 4 * finger + segment + 1])
            absolute.append(placed)
        moves = jnp.einsum("bij,bjk->bik", jnp.stack(absolute), inverse)[:, :3]
        skinned = jnp.einsum("bv,bij,vj->vi", weights, moves, homogeneous)
        r = theta[:3]
        angle = jnp.sqrt(r @ r)
        u = r / angle
        cross = jnp.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
        turn = (jnp.cos(angle) * jnp.eye(3) + jnp.sin(angle) * cross
                + (1 - jnp.cos(angle)) * jnp.outer(u, u))
        return points - (skinned[matches] @ turn.T + theta[3:6])

    def objective(theta):
        out = misfit(theta)
        return 0.5 * (out * out).sum()

    def residuals(theta):
        return misfit(theta).ravel()

    return objective, (theta,), "theta", residuals


# --- Records ------------------------------------------------------------------

WHOLE = 128
SAMPLES = 16


def record(value, gradient, order):
    gradient = np.asarray(gradient, dtype=float).ravel()
    out = {"value": float(value), "inputs": order, "size": int(gradient.size),
           "sum": float(gradient.sum()), "norm": float(np.linalg.norm(gradient))}
    if gradient.size <= WHOLE:
        out["gradient"] = gradient.tolist()
    else:
        stride = gradient.size // SAMPLES
        out["stride"] = stride
        out["samples"] = gradient[::stride].tolist()
    return out


SCALAR = {
    "gmm_2_3_10": lambda: gmm(2, 3, 10),
    "gmm_10_25_1000": lambda: gmm(10, 25, 1000),
    "gmm_32_50_1000": lambda: gmm(32, 50, 1000),
    "lstm_3_2_6": lambda: lstm(3, 2, 6),
    "lstm_14_2_1024": lambda: lstm(14, 2, 1024),
    "ode_3_7": lambda: ode(3, 7),
    "ode_20_2500": lambda: ode(20, 2500),
    "loop_50": lambda: loop(50),
    "loop_1000000": lambda: loop(1000000),
    "hand_50_10": lambda: hand(50, 10)[:3],
    "hand_500_200": lambda: hand(500, 200)[:3],
}


def flat(objective, inputs):
    """The objective as a function of one vector, and that vector."""
    inputs = [np.asarray(x, dtype=float) for x in inputs]
    ends = np.cumsum([x.size for x in inputs])[:-1]

    def of_vector(z):
        parts = jnp.split(z, ends)
        return objective(*(p.reshape(x.shape) for p, x in zip(parts, inputs)))

    return of_vector, np.concatenate([x.ravel() for x in inputs])


def build():
    out = {}
    for name, make in SCALAR.items():
        objective, inputs, order = make()
        value, gradient = jax.jit(jax.value_and_grad(objective, tuple(range(len(inputs)))))(*inputs)
        out[name] = record(value, np.concatenate([np.ravel(g) for g in gradient]), order)
        f, z = flat(objective, inputs)
        along = Random(6).array(z.size, -1, 1)
        product = jax.jit(lambda z: jax.jvp(jax.grad(f), (z,), (along,))[1])(z)
        out[name + "_hvp"] = record(value, product, order + ", along a vector of Random(6)")
    for name, sizes in (("gmm_2_3_10", (2, 3, 10)), ("gmm_5_5_100", (5, 5, 100))):
        objective, inputs, order = gmm(*sizes)
        f, z = flat(objective, inputs)
        out[name + "_hessian"] = record(f(z), jax.jit(jax.hessian(f))(z), "all by all of " + order)
    for name, sizes in (("hand_50_10", (50, 10)), ("hand_500_200", (500, 200))):
        *_, (theta,), order, residuals = hand(*sizes)
        out[name + "_jacobian"] = record(residuals(theta).sum(), jax.jit(jax.jacfwd(residuals))(theta),
                                         "3 count residuals x theta")
        out[name + "_jacobian"]["value_is"] = "sum of all residuals"
    for count in (5, 10000):
        values, jacobian = ba_evaluate(*((3, 4, 5) if count == 5 else (20, 1000, 10000)))
        out[f"ba_{count}"] = record(values.sum(), jacobian,
                                    "per observation: 2 residuals x (camera 11, point 3, weight 1)")
        out[f"ba_{count}"]["value_is"] = "sum of all residuals"
        out[f"ba_{count}_sparse"] = out[f"ba_{count}"]
    return out


def check(path):
    reference = json.load(open("reference.json"))
    for line in open(path):
        got = json.loads(line)
        want = reference[got["problem"]]
        worst = max(abs(got[a] - want[b]) / max(abs(want[b]), 1e-300)
                    for a, b in (("value", "value"), ("gsum", "sum"), ("gnorm", "norm")))
        print(f"{got['tool']:16} {got['problem']:16} worst relative difference {worst:.1e}",
              "ok" if worst < 1e-9 else "DIFFERS")


if __name__ == "__main__":
    if "--check" in sys.argv:
        check(sys.argv[sys.argv.index("--check") + 1])
    else:
        json.dump(build(), open("reference.json", "w"), indent=1)
