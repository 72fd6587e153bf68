package corfu.peers.load;

import java.util.HashMap;
import java.util.Map;

/**
 * A load process. It reads orders from its standard input, one per line, and answers each with a
 * line: the measured result, or the reason of its failure.
 *
 * <p>It ends at the end of its input, so it can't outlive the process that started it.
 */
public final class LoadDriver {

  private final Appender.Opener opener;
  private final Map<Use, Appender> appenders = new HashMap<>();

  private LoadDriver(Appender.Opener opener) {
    this.opener = opener;
  }

  /** The use that an appender was opened for. */
  private record Use(int sizeBytes, boolean isLone) {}

  /** Prepares a load before its first order. */
  @FunctionalInterface
  public interface Setup {

    /** Connects to the system, and returns a way to append to it. */
    Appender.Opener connect() throws Exception;
  }

  /**
   * Carries out orders until the input ends, then ends the process. Libraries that are first used
   * in the setup may write to the standard output.
   */
  public static void serve(Setup setup) throws Exception {
    OrderLoop.serve(
        () -> {
          var driver = new LoadDriver(setup.connect());
          return line -> driver.carryOut(Order.parse(line));
        });
  }

  private Observed carryOut(Order order) throws Exception {
    return switch (order) {
      case Order.Lone lone -> Loops.lone(appender(lone.sizeBytes(), true), lone.time());
      case Order.Flood flood ->
          Loops.flood(appender(flood.sizeBytes(), false), flood.depth(), flood.time());
      case Order.Offered offered ->
          Loops.offered(appender(offered.sizeBytes(), false), offered.perSecond(), offered.time());
      case Order.Rest rest -> {
        for (Appender appender : appenders.values()) {
          appender.rest();
        }
        yield Observed.NOTHING;
      }
    };
  }

  private Appender appender(int sizeBytes, boolean isLone) throws Exception {
    var use = new Use(sizeBytes, isLone);
    Appender known = appenders.get(use);
    if (known == null) {
      known = opener.open(payload(sizeBytes), isLone);
      appenders.put(use, known);
    }
    return known;
  }

  /** Returns bytes that do not compress. */
  private static byte[] payload(int sizeBytes) {
    byte[] payload = new byte[sizeBytes];
    var scattered = new Scattered(0);
    for (int i = 0; i < sizeBytes; i++) {
      payload[i] = (byte) scattered.next();
    }
    return payload;
  }
}
