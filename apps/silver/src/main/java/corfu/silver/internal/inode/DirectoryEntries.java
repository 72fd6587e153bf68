package corfu.silver.internal.inode;

import corfu.fuse.protocol.FileName;
import corfu.silver.Hop;
import corfu.silver.internal.record.Child;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * The names of a directory. Immutable; a changed one shares most of its memory with the one before.
 * So does the clone of a directory, whatever its size.
 *
 * <p>The order is that of hashes of the names. So a name keeps its offset while others come and go.
 * Names whose hash another name has are behind all others, in the order of the names.
 */
public final class DirectoryEntries {

  /**
   * The offset before the first name. Offsets 1 and 2 are those of the directory and its parent.
   */
  public static final long FIRST_OFFSET = 2;

  /** Every hash is less. */
  private static final long COLLIDED = 1L << 62;

  private static final DirectoryEntries EMPTY =
      new DirectoryEntries(TreePMap.empty(), TreePMap.empty(), List.of());

  private final TreePMap<Long, DirectoryEntry> byHash;
  private final TreePMap<FileName, DirectoryEntry> collided;
  private final List<Hop> hops;

  private DirectoryEntries(
      TreePMap<Long, DirectoryEntry> byHash,
      TreePMap<FileName, DirectoryEntry> collided,
      List<Hop> hops) {
    this.byHash = byHash;
    this.collided = collided;
    this.hops = hops;
  }

  /** Returns a directory without names. */
  public static DirectoryEntries empty() {
    return EMPTY;
  }

  /** Returns a directory that is seen through clones, and has no names yet. */
  public static DirectoryEntries through(List<Hop> hops) {
    return new DirectoryEntries(TreePMap.empty(), TreePMap.empty(), List.copyOf(hops));
  }

  /** Returns the clones through which the directory is seen. */
  public List<Hop> hops() {
    return hops;
  }

  /** Passes on the names as they were stored, in an order in which they can be stored again. */
  public void forEachStored(Consumer<DirectoryEntry> receiver) {
    byHash.values().forEach(receiver);
    collided.values().forEach(receiver);
  }

  /** Returns the number of names. */
  public int size() {
    return byHash.size() + collided.size();
  }

  /** Returns the node of a name. */
  public Optional<Child> get(FileName name) {
    @Nullable DirectoryEntry entry = find(name);
    return entry == null ? Optional.empty() : Optional.of(resolve(entry));
  }

  private @Nullable DirectoryEntry find(FileName name) {
    DirectoryEntry first = byHash.get(hash(name));
    return first != null && first.name().equals(name) ? first : collided.get(name);
  }

  private Child resolve(DirectoryEntry entry) {
    return entry.level() == hops.size()
        ? entry.child()
        : new Child(
            entry.child().node().through(hops.subList(entry.level(), hops.size())),
            entry.child().type());
  }

  /** Returns the directory in which a name has this node. */
  public DirectoryEntries with(FileName name, Child child) {
    return with(new DirectoryEntry(name, child, hops.size()));
  }

  /** Returns the directory with a name as it was stored. */
  public DirectoryEntries with(DirectoryEntry entry) {
    FileName name = entry.name();
    long hash = hash(name);
    DirectoryEntry first = byHash.get(hash);
    return first == null || first.name().equals(name)
        ? new DirectoryEntries(byHash.plus(hash, entry), collided.minus(name), hops)
        : new DirectoryEntries(byHash, collided.plus(name, entry), hops);
  }

  /** Returns the directory without a name. */
  public DirectoryEntries without(FileName name) {
    long hash = hash(name);
    DirectoryEntry first = byHash.get(hash);
    return first != null && first.name().equals(name)
        ? new DirectoryEntries(byHash.minus(hash), collided, hops)
        : new DirectoryEntries(byHash, collided.minus(name), hops);
  }

  /** Returns the directory as it is seen through one more clone. */
  DirectoryEntries through(Hop hop) {
    List<Hop> more = new ArrayList<>(hops);
    more.add(hop);
    return new DirectoryEntries(byHash, collided, List.copyOf(more));
  }

  /** A name, its node, and the offset of the next one. */
  public record Listed(FileName name, Child child, long offset) {}

  /**
   * Passes on the names behind an offset.
   *
   * @param offset the offset of the name before, or {@link #FIRST_OFFSET}
   * @param receiver gets a name and its offset, and returns false if it takes no more
   */
  public void forEachBehind(long offset, BiPredicate<FileName, Listed> receiver) {
    if (offset < COLLIDED) {
      long from = Math.max(0, offset - FIRST_OFFSET);
      for (Map.Entry<Long, DirectoryEntry> entry : byHash.tailMap(from, true).entrySet()) {
        if (!pass(entry.getValue(), entry.getKey() + 1 + FIRST_OFFSET, receiver)) {
          return;
        }
      }
    }
    long at = COLLIDED + FIRST_OFFSET;
    for (DirectoryEntry entry : collided.values()) {
      at++;
      if (at > offset && !pass(entry, at, receiver)) {
        return;
      }
    }
  }

  private boolean pass(DirectoryEntry entry, long offset, BiPredicate<FileName, Listed> receiver) {
    return receiver.test(entry.name(), new Listed(entry.name(), resolve(entry), offset));
  }

  private static long hash(FileName name) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.bytes());
      return ByteBuffer.wrap(digest).getLong() >>> 2;
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
