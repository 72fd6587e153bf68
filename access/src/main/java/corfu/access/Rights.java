package corfu.access;

import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * All that one identity may do, compiled from a policy. Rights on a stream are a set of bits, so
 * that a server can remember them for many streams. Immutable.
 *
 * <p>Entries of no stream count as entries of the stream {@link StreamId#NONE}. To read, append or
 * trim them takes {@code read-log}, {@code append-log} or {@code operate}.
 */
public final class Rights {

  /** No rights at all. */
  public static final Rights NONE = new Rights();

  /** The bits of all permissions. */
  public static final int ALL = (1 << Permission.values().length) - 1;

  /** The rights of the cluster's own servers and of its configured administrators. */
  public static final Rights FULL = full();

  /** A part of a composed object has checkpoints; nothing is derived in more steps. */
  private static final int MOST_STEPS = 4;

  private int general;
  private int everyStream;
  private final Map<StreamId, Integer> ids = new HashMap<>();
  private final List<OfIds> idPrefixes = new ArrayList<>();
  private final List<OfNames> namePrefixes = new ArrayList<>();

  private record OfIds(Target.IdPrefix prefix, int bits) {}

  private record OfNames(String prefix, int bits) {}

  private Rights() {}

  private static Rights full() {
    Rights full = new Rights();
    full.general = ALL;
    full.everyStream = ALL;
    return full;
  }

  /** Returns the rights that these grants give together, whatever their subjects. */
  static Rights of(Iterable<Grant> grants) {
    Rights rights = new Rights();
    for (Grant grant : grants) {
      rights.add(grant);
    }
    return rights.has(Permission.ADMINISTER) ? FULL : rights.isEmpty() ? NONE : rights;
  }

  private void add(Grant grant) {
    int bit = bit(grant.permission());
    switch (grant.target()) {
      case Target.Whole whole -> general |= bit;
      case Target.AllStreams all -> everyStream |= bit;
      case Target.Named named -> ids.merge(named.id(), bit, (a, b) -> a | b);
      case Target.Id one -> ids.merge(one.id(), bit, (a, b) -> a | b);
      case Target.IdPrefix prefix -> idPrefixes.add(new OfIds(prefix, bit));
      case Target.NamePrefix prefix -> namePrefixes.add(new OfNames(prefix.prefix(), bit));
    }
  }

  /** Returns the bit of a permission in a set of rights. */
  public static int bit(Permission permission) {
    return 1 << (permission.code() - 1);
  }

  /** Returns whether the identity may do nothing at all. */
  public boolean isEmpty() {
    return general == 0
        && everyStream == 0
        && ids.isEmpty()
        && idPrefixes.isEmpty()
        && namePrefixes.isEmpty();
  }

  /** Returns whether the identity may do everything. */
  public boolean isFull() {
    return has(Permission.ADMINISTER);
  }

  /** Returns whether the identity has a permission that is not for streams. */
  public boolean has(Permission permission) {
    return (general & bit(permission)) != 0;
  }

  /**
   * Returns the bits of {@code read}, {@code append} and {@code trim} on a stream.
   *
   * @param stream the stream, or {@link StreamId#NONE} for entries of no stream
   * @param names returns the names of streams, as far as they are known
   */
  public int on(StreamId stream, Function<StreamId, Optional<String>> names) {
    return on(stream, names, MOST_STEPS);
  }

  private int on(StreamId stream, Function<StreamId, Optional<String>> names, int steps) {
    if (isFull()) {
      return ALL;
    }
    if (stream.equals(StreamId.NONE)) {
      return onEntriesOfNoStream();
    }
    int everything = has(Permission.READ_LOG) ? bit(Permission.READ) : 0;
    if (StreamNames.isReserved(stream)) {
      return has(Permission.OBSERVE) ? bit(Permission.READ) : everything;
    }
    int bits = everything | everyStream | ids.getOrDefault(stream, 0);
    for (OfIds each : idPrefixes) {
      bits |= each.prefix.matches(stream) ? each.bits : 0;
    }
    Optional<String> name = names.apply(stream);
    if (name.isEmpty()) {
      return bits;
    }
    for (OfNames each : namePrefixes) {
      bits |= name.get().startsWith(each.prefix) ? each.bits : 0;
    }
    Optional<StreamId> owner = steps > 1 ? StreamNames.ownerOf(name.get()) : Optional.empty();
    return owner.isPresent() ? bits | on(owner.get(), names, steps - 1) : bits;
  }

  private int onEntriesOfNoStream() {
    return (has(Permission.READ_LOG) ? bit(Permission.READ) : 0)
        | (has(Permission.APPEND_LOG) ? bit(Permission.APPEND) : 0)
        | (has(Permission.OPERATE) ? bit(Permission.TRIM) : 0);
  }

  /** Returns whether the rights on a stream may depend on this name. */
  public boolean dependOn(String name) {
    for (OfNames each : namePrefixes) {
      if (name.startsWith(each.prefix)) {
        return true;
      }
    }
    return StreamNames.ownerOf(name).isPresent();
  }
}
