package corfu.access.gate;

import corfu.access.Rights;
import corfu.access.quota.QuotaAccount;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.TokenSeal;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One identity at one server: its rights by the present policy, the names that it has introduced,
 * and the decisions on streams so far. Lives on the server's loop.
 */
final class IdentitySession {

  /** The largest number of remembered names. */
  static final int MOST_NAMES = 4_096;

  /** The largest size of the remembered names in bytes. */
  static final long MOST_NAME_BYTES = 1 << 20;

  private static final int READ = Rights.bit(Permission.READ);
  private static final int ANY_ON_STREAM = READ | Rights.bit(Permission.APPEND);

  private final Identity identity;
  private final boolean isServer;
  private final long followerSalt;
  private final StreamRights onStreams = new StreamRights();
  private final Map<StreamId, String> names = new LinkedHashMap<>();
  private final ProvenSeals seals = new ProvenSeals();
  private long nameBytes;
  private Rights rights = Rights.NONE;
  private Optional<QuotaAccount> account = Optional.empty();
  private long generation = -1;

  /**
   * @param identity the identity
   * @param isServer whether it is a server of the cluster
   * @param followerSalt a secret that keeps the followers of identities apart
   */
  IdentitySession(Identity identity, boolean isServer, long followerSalt) {
    this.identity = identity;
    this.isServer = isServer;
    this.followerSalt = followerSalt;
  }

  Identity identity() {
    return identity;
  }

  boolean isServer() {
    return isServer;
  }

  /** Returns the number of a policy, or of the lack of one, by which the rights were found. */
  long generation() {
    return generation;
  }

  /** Replaces the rights and the quota, and drops all decisions. */
  void isNow(Rights newRights, Optional<QuotaAccount> newAccount, long newGeneration) {
    rights = newRights;
    account = newAccount;
    generation = newGeneration;
    onStreams.clear();
  }

  /** Returns the account of the identity, or empty if it has no quota. */
  Optional<QuotaAccount> account() {
    return account;
  }

  boolean isFull() {
    return rights.isFull();
  }

  /** Returns whether the identity has any permission at all. */
  boolean isKnown() {
    return !rights.isEmpty();
  }

  boolean has(Permission permission) {
    return rights.has(permission);
  }

  // ------------------------------------------------------------------------------------ streams

  /** Returns whether the identity has a permission on a stream. */
  boolean may(Permission permission, StreamId stream) {
    return (bits(stream) & Rights.bit(permission)) != 0;
  }

  /** Returns whether the identity reads a stream or appends to it. */
  boolean uses(StreamId stream) {
    return (bits(stream) & ANY_ON_STREAM) != 0;
  }

  /** Returns whether the identity has any permission on a stream. */
  boolean hasAnyOn(StreamId stream) {
    return bits(stream) != 0;
  }

  private int bits(StreamId stream) {
    int known = onStreams.get(stream.high(), stream.low());
    return known != StreamRights.UNKNOWN ? known : find(stream);
  }

  private int bits(Entry entry, int index) {
    int known = onStreams.get(entry.streamIdHigh(index), entry.streamIdLow(index));
    return known != StreamRights.UNKNOWN ? known : find(entry.streamId(index));
  }

  private int find(StreamId stream) {
    int bits = rights.on(stream, this::name) & (ANY_ON_STREAM | Rights.bit(Permission.TRIM));
    onStreams.put(stream.high(), stream.low(), bits);
    return bits;
  }

  /**
   * Returns the index of the first of the entry's streams on which the identity lacks a permission,
   * or -1 if there is none. An entry of no stream has index 0.
   */
  int firstLacking(Permission permission, Entry entry) {
    int count = entry.streamCount();
    if (count == 0) {
      return may(permission, StreamId.NONE) ? -1 : 0;
    }
    for (int i = 0; i < count; i++) {
      if ((bits(entry, i) & Rights.bit(permission)) == 0) {
        return i;
      }
    }
    return -1;
  }

  /** Returns whether the identity has a permission on all streams of an entry. */
  boolean mayAll(Permission permission, List<StreamId> streams) {
    for (StreamId stream : streams) {
      if (!may(permission, stream)) {
        return false;
      }
    }
    return !streams.isEmpty() || may(permission, StreamId.NONE);
  }

  /**
   * Returns whether the identity may see an entry: it reads one of its streams, or the whole log. A
   * hole tells nothing, and readers of any stream come upon it.
   */
  boolean maySee(Entry entry) {
    int count = entry.streamCount();
    for (int i = 0; i < count; i++) {
      if ((bits(entry, i) & READ) != 0) {
        return true;
      }
    }
    return count == 0 && (entry.isHole() || may(Permission.READ, StreamId.NONE));
  }

  /** Returns whether the identity may see an entry of these streams. */
  boolean maySee(List<StreamId> streams) {
    for (StreamId stream : streams) {
      if ((bits(stream) & READ) != 0) {
        return true;
      }
    }
    return streams.isEmpty() && may(Permission.READ, StreamId.NONE);
  }

  // -------------------------------------------------------------------------------------- names

  /** Returns the introduced name of a stream, or empty if it is not known. */
  Optional<String> name(StreamId stream) {
    return Optional.ofNullable(names.get(stream));
  }

  /**
   * Remembers those of the names on which the rights depend. The oldest ones give way.
   *
   * @return the number of bytes by which the remembered names have grown; may be negative
   */
  long introduce(List<String> introduced) {
    long before = nameBytes;
    for (String name : introduced) {
      if (!isFull() && rights.dependOn(name)) {
        keep(name);
      }
    }
    onStreams.clear();
    return nameBytes - before;
  }

  private void keep(String name) {
    StreamId stream = StreamId.named(name);
    if (names.remove(stream) == null) {
      nameBytes += bytes(name);
    }
    names.put(stream, name); // behind the others, because it is in use
    Iterator<String> oldest = names.values().iterator();
    while (names.size() > MOST_NAMES || nameBytes > MOST_NAME_BYTES) {
      nameBytes -= bytes(oldest.next());
      oldest.remove();
    }
  }

  private static int bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Forgets all names. Returns their size in bytes. */
  long forgetNames() {
    long forgotten = nameBytes;
    names.clear();
    nameBytes = 0;
    onStreams.clear();
    return forgotten;
  }

  long nameBytes() {
    return nameBytes;
  }

  // -------------------------------------------------------------------------------------- seals

  /** Returns whether a seal of this identity's tokens in an epoch was found genuine lately. */
  boolean hasProven(TokenSeal seal, Epoch epoch) {
    return seals.contains(seal, epoch);
  }

  /** Remembers a genuine seal: the entries of its run come in several requests. */
  void proves(TokenSeal seal, Epoch epoch) {
    seals.add(seal, epoch);
  }

  // ---------------------------------------------------------------------------------- followers

  /**
   * Returns the number under which the log unit knows this identity's follower. Another identity
   * with the same number is another follower.
   */
  long follower(long number) {
    return number ^ followerSalt;
  }
}
