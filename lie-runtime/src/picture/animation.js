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
  let before = 0;

  // The middle of each frame, which the view follows, smoothed over a tenth of the film but at its ends; the lowest point is the ground.
  const frame = (index) => film.lines.flatMap((line) => line.points[index]);
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
      if (line.joints) stroke(line.points[0], line.colour, 1.5 * pixels, 0.25);
    }
    const bodies = film.lines.map((line) =>
      line.points[first].map((point, k) => between(point, line.points[next][k], share)));
    // The nearest line comes last.
    const depth = (points) => points.reduce((sum, p) => sum + project(p)[2], 0) / points.length;
    const order = film.lines.map((line, k) => [depth(bodies[k]), line, bodies[k]]).sort((a, b) => a[0] - b[0]);
    for (const [, line, points] of order) {
      stroke(points, line.colour, (line.joints ? 4 : 2) * pixels, 1);
      if (!line.joints) continue;
      pen.fillStyle = line.colour;
      for (const point of points) {
        const [x, y] = project(point);
        pen.beginPath();
        pen.arc(x, y, 3.5 * pixels, 0, 2 * Math.PI);
        pen.fill();
      }
    }
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
