"use strict";
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const canvas = document.getElementById("view");
  const pen = canvas.getContext("2d");
  const [play, slider, clock, pace] = ["play", "time", "clock", "pace"].map((id) => document.getElementById(id));
  const last = film.times.length - 1;
  const duration = film.times[last] - film.times[0];
  let [azimuth, elevation] = film.eye;
  let zoom = 1;
  let time = film.times[0];
  let isPlaying = false;
  pace.value = [...pace.options].map((option) => option.value).find((value) => Number(value) === film.speed) ?? "1";
  let before = 0;
  const sum = (a, b) => a.map((value, k) => value + b[k]);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

  // A point of a body with the pose [x, y, z, and the quaternion with its real part at the end].
  function moved(pose, p) {
    const axis = pose.slice(3, 6);
    const turned = cross(axis, sum(cross(axis, p), p.map((value) => pose[6] * value)));
    return p.map((value, k) => value + 2 * turned[k] + pose[k]);
  }

  // The corners of a box around a solid.
  function box(solid) {
    const points = solid.axes ? [0, 1, 2, 3].map((axis) => [0, 1, 2].map((k) => (k === axis ? solid.axes.length : 0))) : solid.faces.flat();
    const ends = [0, 1, 2].map((k) => points.reduce(([low, high], p) => [Math.min(low, p[k]), Math.max(high, p[k])], [Infinity, -Infinity]));
    return [0, 1, 2, 3, 4, 5, 6, 7].map((number) => ends.map((end, k) => end[(number >> k) & 1]));
  }

  // The pose between two poses: the shorter way.
  function interpolated(a, b, share) {
    const dot = [3, 4, 5, 6].reduce((total, k) => total + a[k] * b[k], 0);
    const pose = a.map((value, k) => value + share * ((k > 2 && dot < 0 ? -b[k] : b[k]) - value));
    const norm = Math.hypot(...pose.slice(3));
    return pose.map((value, k) => (k > 2 ? value / norm : value));
  }

  // The middle of each frame, which the view follows, smoothed over a tenth of the film but at its ends; the lowest point is the ground.
  const boxes = film.solids.map(box);
  const frame = (index) => film.lines.flatMap((line) => line.points[index])
    .concat(film.solids.flatMap((solid, k) => boxes[k].map((corner) => moved(solid.poses[index], corner))))
    .concat(film.arrows.flatMap((arrow) => [arrow.tails[index], sum(arrow.tails[index], arrow.vectors[index])]));
  const middles = film.times.map((_, index) => {
    const points = frame(index);
    return [0, 1, 2].map((k) => {
      const values = points.map((p) => p[k]);
      return (Math.min(...values) + Math.max(...values)) / 2;
    });
  });
  const reach = Math.ceil(film.times.length / 20);
  const followed = middles.map((_, index) => {
    const half = Math.min(reach, index, last - index);
    const near = middles.slice(index - half, index + half + 1);
    return [0, 1, 2].map((k) => near.reduce((sum, middle) => sum + middle[k], 0) / near.length);
  });
  const ground = film.times.reduce((low, _, index) => Math.min(low, ...frame(index).map((p) => p[2])), Infinity);
  const extent = film.times.reduce((far, _, index) =>
    Math.max(far, ...frame(index).map((p) => Math.hypot(...p.map((x, k) => x - followed[index][k])))), 1e-9);
  let centre = followed[0];
  let fit = 1;

  // To the right, downwards, towards the eye.
  function project(p) {
    const [sa, ca] = [Math.sin(azimuth), Math.cos(azimuth)];
    const [se, ce] = [Math.sin(elevation), Math.cos(elevation)];
    const [x, y, z] = p.map((value, k) => value - centre[k]);
    const depth = ca * x + sa * y;
    const scale = zoom * fit;
    const right = canvas.width / 2 + scale * (ca * y - sa * x);
    return [right, canvas.height / 2 - scale * (ce * z - se * depth), ce * depth + se * z];
  }

  // Pixels of a unit of length with which every frame is in view, seen as at first.
  function measure() {
    const [from, eye, wanted] = [centre, [azimuth, elevation], zoom];
    [azimuth, elevation] = film.eye;
    [fit, zoom] = [1, 1];
    let [width, height] = [1e-9, 1e-9];
    film.times.forEach((_, index) => {
      centre = followed[index];
      for (const p of frame(index)) {
        const [x, y] = project(p);
        width = Math.max(width, Math.abs(x - canvas.width / 2));
        height = Math.max(height, Math.abs(y - canvas.height / 2));
      }
    });
    fit = Math.min((0.46 * canvas.width) / width, (0.46 * canvas.height) / height);
    [centre, [azimuth, elevation], zoom] = [from, eye, wanted];
  }

  function stroke(points, colour, width, alpha) {
    pen.globalAlpha = alpha;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    points.forEach((p, k) => {
      const [x, y] = project(p);
      if (k === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    });
    pen.stroke();
    pen.globalAlpha = 1;
  }

  function dot(p, colour, radius) {
    const [x, y] = project(p);
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
  }

  function polygon(points, colour, alpha) {
    pen.globalAlpha = alpha;
    pen.fillStyle = pen.strokeStyle = colour;
    pen.lineWidth = 1;
    pen.beginPath();
    points.forEach(([x, y], k) => (k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.closePath();
    pen.fill();
    // The outline closes the seams between faces.
    if (alpha === 1) pen.stroke();
    pen.globalAlpha = 1;
  }

  const fill = (points, colour, alpha) => polygon(points.map(project), colour, alpha);

  function shaded(colour, brightness) {
    const part = (at) => parseInt(colour.slice(at, at + 2), 16);
    return `rgb(${[1, 3, 5].map((at) => Math.round(brightness * (0.62 * part(at) + 0.38 * 255))).join(",")})`;
  }

  function drawArrow(tail, tip, colour, pixels) {
    const [from, to] = [tail, tip].map(project);
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 0.5 * pixels) return;
    const head = Math.min(12 * pixels, 0.6 * length);
    const along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const base = [to[0] - head * along[0], to[1] - head * along[1]];
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5 * pixels;
    pen.beginPath();
    pen.moveTo(from[0], from[1]);
    pen.lineTo(base[0], base[1]);
    pen.stroke();
    const side = 0.4 * head;
    const corner = (sign) => [base[0] - sign * side * along[1], base[1] + sign * side * along[0]];
    polygon([to, corner(1), corner(-1)], colour, 1);
  }

  // A grid under the motion: steps of 1, 2 or 5 times a power of ten.
  function grid() {
    const decade = 10 ** Math.floor(Math.log10(extent / 2));
    const step = [1, 2, 5, 10].map((unit) => unit * decade).find((size) => extent / size <= 5);
    const [from, to] = [0, 1].map((k) => [
      step * Math.floor((centre[k] - 2 * extent) / step),
      step * Math.ceil((centre[k] + 2 * extent) / step),
    ]);
    const ink = getComputedStyle(document.body).color;
    for (let x = from[0]; x <= from[1] + step / 2; x += step) {
      stroke([[x, to[0], ground], [x, to[1], ground]], ink, 1, 0.12);
    }
    for (let y = to[0]; y <= to[1] + step / 2; y += step) {
      stroke([[from[0], y, ground], [from[1], y, ground]], ink, 1, 0.12);
    }
    const origin = [0, 1].map((k) => step * Math.floor((centre[k] - extent) / step)).concat(Math.max(ground, centre[2] - extent));
    ["x", "y", "z"].forEach((name, k) => {
      const end = origin.map((value, j) => value + (j === k ? step : 0));
      stroke([origin, end], ink, 2, 0.7);
      const [x, y] = project(end);
      pen.fillStyle = ink;
      pen.fillText(name, x + 4, y - 4);
    });
    return step;
  }

  // The frame before `time` and the share of the way to the next one.
  function find() {
    let [first, end] = [0, last];
    while (end - first > 1) {
      const middle = (first + end) >> 1;
      if (film.times[middle] <= time) first = middle;
      else end = middle;
    }
    const span = film.times[end] - film.times[first];
    return [first, end, span > 0 ? Math.min(1, Math.max(0, (time - film.times[first]) / span)) : 0];
  }

  const between = (a, b, share) => a.map((value, k) => value + share * (b[k] - value));

  function draw() {
    const pixels = window.devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * pixels);
    canvas.height = Math.round(canvas.clientHeight * pixels);
    pen.lineJoin = pen.lineCap = "round";
    pen.font = `${13 * pixels}px system-ui, sans-serif`;
    const [first, next, share] = find();
    centre = between(followed[first], followed[next], share);
    measure();
    const step = grid();
    for (const line of film.lines) {
      if (line.trail !== null) {
        const path = line.points.slice(0, first + 1).map((points) => points[line.trail]);
        stroke(path, line.colour, 1.5 * pixels, 0.35);
      }
      stroke(line.points[0], line.colour, 1.5 * pixels, 0.25);
    }
    // The nearest object comes last.
    const items = [];
    const depth = (points) => points.reduce((total, p) => total + project(p)[2], 0) / points.length;
    for (const line of film.lines) {
      const points = line.points[first].map((point, k) => between(point, line.points[next][k], share));
      items.push([depth(points), () => {
        stroke(points, line.colour, 4 * pixels, 1);
        for (const point of points) dot(point, line.colour, 3.5 * pixels);
      }]);
    }
    for (const arrow of film.arrows) {
      const tail = between(arrow.tails[first], arrow.tails[next], share);
      const tip = sum(tail, between(arrow.vectors[first], arrow.vectors[next], share));
      items.push([depth([tail, tip]), () => drawArrow(tail, tip, arrow.colour, pixels)]);
    }
    for (const solid of film.solids) {
      const pose = interpolated(solid.poses[first], solid.poses[next], share);
      if (solid.axes) {
        const origin = pose.slice(0, 3);
        solid.axes.colours.forEach((colour, axis) => {
          const tip = moved(pose, [0, 1, 2].map((k) => (k === axis ? solid.axes.length : 0)));
          items.push([depth([origin, tip]), () => drawArrow(origin, tip, colour, pixels)]);
        });
        items.push([Infinity, () => {
          const [x, y] = project(origin);
          pen.fillStyle = getComputedStyle(document.body).color;
          pen.fillText(solid.label, x + 6 * pixels, y - 6 * pixels);
        }]);
      }
      solid.faces.forEach((face, k) => {
        const points = face.map((corner) => moved(pose, corner));
        const [a, b, c] = points.slice(0, 3).map(project);
        // In pixels: to the right and downwards; the depth in units of length.
        const scale = zoom * fit;
        const edges = [b, c].map((p) => [(p[0] - a[0]) / scale, (a[1] - p[1]) / scale, p[2] - a[2]]);
        const normal = cross(edges[0], edges[1]);
        if (normal[2] <= 0 && !solid.open) return;
        const light = Math.abs(-0.35 * normal[0] + 0.6 * normal[1] + 0.72 * normal[2]) / (Math.hypot(...normal) || 1);
        const brightness = (solid.dark[k] ? 0.8 : 1) * (0.55 + 0.45 * Math.min(1, light));
        items.push([depth(points), () => fill(points, shaded(solid.colour, brightness), solid.open ? 0.5 : 1)]);
      });
    }
    items.sort((a, b) => a[0] - b[0]).forEach(([, show]) => show());
    clock.textContent = `t = ${time.toFixed(2)} s · grid ${step} m`;
    slider.value = duration > 0 ? (time - film.times[0]) / duration : 0;
  }

  function tick(now) {
    if (!isPlaying) return;
    time += Math.min(0.1, (now - before) / 1000) * Number(pace.value);
    before = now;
    if (time >= film.times[last]) {
      time = film.times[last];
      run(false);
    }
    draw();
    if (isPlaying) requestAnimationFrame(tick);
  }

  function run(wanted) {
    isPlaying = wanted;
    play.textContent = wanted ? "Pause" : "Play";
    if (!wanted) return;
    if (time >= film.times[last]) time = film.times[0];
    before = performance.now();
    requestAnimationFrame(tick);
  }

  play.addEventListener("click", () => run(!isPlaying));
  slider.addEventListener("input", () => {
    run(false);
    time = film.times[0] + Number(slider.value) * duration;
    draw();
  });
  canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) return;
    azimuth -= event.movementX * 0.008;
    elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, elevation + event.movementY * 0.008));
    draw();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom = Math.max(0.2, Math.min(20, zoom * Math.exp(-event.deltaY * 0.001)));
    draw();
  }, { passive: false });
  canvas.addEventListener("dblclick", () => {
    [azimuth, elevation] = film.eye;
    zoom = 1;
    draw();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target === play) return;
    event.preventDefault();
    run(!isPlaying);
  });
  window.addEventListener("resize", draw);
  draw();
})();
