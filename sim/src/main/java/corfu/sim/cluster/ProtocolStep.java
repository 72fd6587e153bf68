package corfu.sim.cluster;

import java.util.List;
import java.util.Locale;

/** A moment in a protocol at which a process may die. */
public enum ProtocolStep {
  /** An append has its tokens, and nothing is written. */
  HAS_TOKEN,
  /** The head of a chain has the entry, and nobody else. */
  HEAD_HAS_IT,
  /** The tail does not have the entry, others behind the head do. */
  MIDDLE_HAS_IT,
  /** The tail has the entry, and nobody has been told. */
  TAIL_HAS_IT,
  /** Some units have trimmed what they were asked to trim, or none has; others have not. */
  TRIMMING,
  /** A reconfigurer has sealed, and nothing is proposed. */
  SEALED,
  /** A reconfigurer has promises, and no vote; or some have voted. */
  PREPARED,
  /** The layout is decided, and no layout server has learned it; or some have. */
  DECIDED,
  /** The layout is decided, and its sequencer has not been started. */
  LEARNED,
  /** A segment is being copied. */
  COPYING;

  static final List<ProtocolStep> OF_APPENDS =
      List.of(HAS_TOKEN, HEAD_HAS_IT, MIDDLE_HAS_IT, TAIL_HAS_IT);

  /** Of whatever clients do. */
  public static final List<ProtocolStep> OF_CLIENTS =
      List.of(HAS_TOKEN, HEAD_HAS_IT, MIDDLE_HAS_IT, TAIL_HAS_IT, TRIMMING);

  public static final List<ProtocolStep> OF_RECONFIGURATIONS =
      List.of(SEALED, PREPARED, DECIDED, LEARNED);

  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
