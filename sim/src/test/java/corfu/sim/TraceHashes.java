package corfu.sim;

import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Prints the trace hashes of the first seeds. It is a program, so that another JVM can run it. */
final class TraceHashes {

  private TraceHashes() {}

  public static void main(String[] arguments) {
    System.out.println(ofSeedsUpTo(Integer.parseInt(arguments[0])));
  }

  static String ofSeedsUpTo(int last) {
    return LongStream.rangeClosed(1, last)
        .mapToObj(seed -> Simulation.run(seed, SimulationOptions.DEFAULT))
        .map(report -> report.seed() + ":" + Long.toHexString(report.traceHash()))
        .collect(Collectors.joining(" "));
  }
}
