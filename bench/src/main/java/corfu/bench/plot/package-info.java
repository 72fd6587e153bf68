/**
 * Results as SVG pictures.
 *
 * <p>{@link RatePlot} draws rates over time, {@link CurvePlot} curves over anything else, {@link
 * DistributionPlot} distributions of latencies.
 */
@NullMarked
package corfu.bench.plot;

import org.jspecify.annotations.NullMarked;
