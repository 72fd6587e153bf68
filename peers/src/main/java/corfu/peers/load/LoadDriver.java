package corfu.peers.load;

import java.util.HashMap;
import java.util.Map;

/**
 * A load process: reads orders from its standard input, a line each, and answers each with a line:
 * what was observed, or why it failed. It ends when its input does, so it cannot outlive whoever
 * started it.
 */
public final class LoadDriver {

  private final Appender.Opener opener;
  private final Map<Use, Appender> appenders = new HashMap<>();

  private LoadDriver(Appender.Opener opener) {
    this.opener = opener;
  }

  /** What an appender was opened for. */
  private record Use(int sizeBytes, boolean isLone) {}

  /** What a load does before it gets orders. */
  @FunctionalInterface
  public interface Setup {

    /** Connects to the system, and says how to append to it. */
    Appender.Opener connect() throws Exception;
  }

  /**
   * Carries out orders until there are no more, then ends the process. Libraries may say what they
   * like on the standard output if they are first used in the setup.
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

  /** Nothing that compresses to nothing. */
  private static byte[] payload(int sizeBytes) {
    byte[] payload = new byte[sizeBytes];
    var scattered = new Scattered(0);
    for (int i = 0; i < sizeBytes; i++) {
      payload[i] = (byte) scattered.next();
    }
    return payload;
  }
}
