/**
 * Draws results as SVG pictures.
 *
 * <p>A benchmark collects points in a {@link PlotBuilder} and gets a {@link Plot}, which draws
 * itself. {@code Axis} chooses ranges and round labels, and {@code PlotDrawing} places everything.
 */
@NullMarked
package corfu.bench.plot;

import org.jspecify.annotations.NullMarked;
