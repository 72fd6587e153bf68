package corfu.sim.cluster;

import java.util.List;
import java.util.Locale;

/** A moment in a protocol at which a process may crash. */
public enum ProtocolStep {
  /** An append has its tokens, and nothing is written. */
  HAS_TOKEN,
  /** The head of the chain has the entry, and no other replica. */
  HEAD_HAS_IT,
  /** Replicas behind the head have the entry, but the tail does not. */
  MIDDLE_HAS_IT,
  /** The tail has the entry, but the client was not told. */
  TAIL_HAS_IT,
  /** Some or none of the log units have trimmed as requested, and others have not. */
  TRIMMING,
  /** A reconfigurer has sealed, but has not proposed a layout. */
  SEALED,
  /** A reconfigurer has promises, and no votes or some. */
  PREPARED,
  /** The layout is decided, and none or some of the layout servers have learned it. */
  DECIDED,
  /** The layout is decided, but its sequencer was not started. */
  LEARNED,
  /** A segment is being copied. */
  COPYING;

  static final List<ProtocolStep> OF_APPENDS =
      List.of(HAS_TOKEN, HEAD_HAS_IT, MIDDLE_HAS_IT, TAIL_HAS_IT);

  /** The steps of all protocols that clients run. */
  public static final List<ProtocolStep> OF_CLIENTS =
      List.of(HAS_TOKEN, HEAD_HAS_IT, MIDDLE_HAS_IT, TAIL_HAS_IT, TRIMMING);

  public static final List<ProtocolStep> OF_RECONFIGURATIONS =
      List.of(SEALED, PREPARED, DECIDED, LEARNED);

  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
