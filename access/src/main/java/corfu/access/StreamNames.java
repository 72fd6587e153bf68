package corfu.access;

import corfu.protocol.StreamId;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The names of streams to which special rules apply. */
public final class StreamNames {

  /** The name of the policy's stream. */
  public static final String POLICY = "corfu/access";

  /** The name of the audit log's stream. */
  public static final String AUDIT = "corfu/audit";

  /**
   * Streams that Corfu derives from the id of another stream, such as the checkpoints of an object.
   * Their names are one of these texts and that id.
   */
  private static final List<String> DERIVED =
      List.of(
          "corfu.objects/checkpoints/",
          "corfu.objects/checkpoint-parts/",
          "corfu.objects.tango/checkpoints/",
          "corfu.bytes: writers of ",
          "corfu.bytes: checkpoints of ");

  private static final String STATE_MACHINE = "corfu.smr/";
  private static final int ID_CHARS = 36;
  private static final Set<StreamId> RESERVED = reserved();
  private static final long[] RESERVED_HIGHS =
      RESERVED.stream().mapToLong(StreamId::high).sorted().toArray();
  private static final StreamId POLICY_ID = StreamId.named(POLICY);
  private static final StreamId AUDIT_ID = StreamId.named(AUDIT);

  private StreamNames() {}

  private static Set<StreamId> reserved() {
    Set<StreamId> ids = new HashSet<>();
    for (String name : List.of(POLICY, AUDIT)) {
      StreamId id = StreamId.named(name);
      ids.add(id);
      DERIVED.forEach(derived -> ids.add(StreamId.named(derived + id)));
      for (String part : List.of("", "/checkpoints", "/parts")) {
        ids.add(StreamId.named(STATE_MACHINE + name + part));
      }
    }
    return Collections.unmodifiableSet(ids);
  }

  /**
   * Returns whether a stream holds the policy, the audit log, or checkpoints of them. No grant on
   * streams applies to it: {@code observe} reads it, and only {@code administer} changes it.
   */
  public static boolean isReserved(StreamId stream) {
    return RESERVED.contains(stream);
  }

  /**
   * Returns false for nearly all streams that are not reserved. Needs no object for the stream.
   *
   * @param high the first 64 bits of the stream's id
   */
  public static boolean mayBeReserved(long high) {
    return Arrays.binarySearch(RESERVED_HIGHS, high) >= 0;
  }

  /** Returns the name of the policy's or the audit log's stream, or empty for all others. */
  public static Optional<String> reservedName(StreamId stream) {
    if (stream.equals(POLICY_ID)) {
      return Optional.of(POLICY);
    }
    return stream.equals(AUDIT_ID) ? Optional.of(AUDIT) : Optional.empty();
  }

  /**
   * Returns the stream from which Corfu derives the stream of this name, or empty if the name is an
   * application's. The rights on the derived stream are those on the other one.
   *
   * @param name the name, whose hash is the derived stream's id
   */
  public static Optional<StreamId> ownerOf(String name) {
    for (String derived : DERIVED) {
      if (name.startsWith(derived)) {
        return id(name.substring(derived.length()));
      }
    }
    return name.length() > ID_CHARS && name.charAt(ID_CHARS) == '/'
        ? id(name.substring(0, ID_CHARS)) // a part of a composed object
        : Optional.empty();
  }

  private static Optional<StreamId> id(String text) {
    if (text.length() != ID_CHARS) {
      return Optional.empty();
    }
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equals(text)
          ? Optional.of(new StreamId(id.getMostSignificantBits(), id.getLeastSignificantBits()))
          : Optional.empty();
    } catch (IllegalArgumentException noId) {
      return Optional.empty();
    }
  }
}
