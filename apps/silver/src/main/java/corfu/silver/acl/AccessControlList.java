package corfu.silver.acl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A valid access control list. Immutable.
 *
 * <p>It has the entries in the order of their tags: one for the owner, any number for users, one
 * for the file's group, any number for groups, one mask, one for others. Only a list that names
 * users or groups needs a mask.
 *
 * <p>The bytes of the extended attribute, little-endian:
 *
 * <pre>
 *   version 2 (4), for each entry: tag (2), permissions (2), id (4)
 * </pre>
 *
 * @param entries the entries
 */
public record AccessControlList(List<AclEntry> entries) {

  /** The bits of a mode that correspond to a list. */
  public static final int MODE_BITS = 0777;

  private static final int VERSION = 2;
  private static final int HEADER_BYTES = 4;
  private static final int ENTRY_BYTES = 8;
  private static final int OWNER_SHIFT = 6;
  private static final int GROUP_SHIFT = 3;
  private static final int RIGHTS = 7;

  /**
   * @throws IllegalArgumentException if an entry is missing, superfluous or at a wrong place
   */
  public AccessControlList {
    entries = List.copyOf(entries);
    for (int i = 1; i < entries.size(); i++) {
      AclTag before = entries.get(i - 1).tag();
      AclTag tag = entries.get(i).tag();
      int order = before.compareTo(tag);
      if (order > 0 || (order == 0 && !tag.isNamed())) {
        throw new IllegalArgumentException(
            "an entry for %s follows one for %s".formatted(tag, before));
      }
    }
    require(entries, AclTag.OWNER);
    require(entries, AclTag.OWNING_GROUP);
    require(entries, AclTag.OTHER);
    if (entries.stream().anyMatch(entry -> entry.tag().isNamed())) {
      require(entries, AclTag.MASK);
    }
  }

  private static void require(List<AclEntry> entries, AclTag tag) {
    if (entries.stream().noneMatch(entry -> entry.tag() == tag)) {
      throw new IllegalArgumentException("a list lacks an entry for " + tag);
    }
  }

  /** Returns the list that says the same as the permissions of a mode. */
  public static AccessControlList ofMode(int mode) {
    return new AccessControlList(
        List.of(
            AclEntry.of(AclTag.OWNER, mode >> OWNER_SHIFT & RIGHTS),
            AclEntry.of(AclTag.OWNING_GROUP, mode >> GROUP_SHIFT & RIGHTS),
            AclEntry.of(AclTag.OTHER, mode & RIGHTS)));
  }

  /**
   * Decodes an extended attribute.
   *
   * @return the list, or empty if the bytes are no valid list
   */
  public static Optional<AccessControlList> decode(byte[] bytes) {
    int count = (bytes.length - HEADER_BYTES) / ENTRY_BYTES;
    if (bytes.length != HEADER_BYTES + count * ENTRY_BYTES) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt() != VERSION) {
      return Optional.empty();
    }
    AclEntry[] entries = new AclEntry[count];
    try {
      for (int i = 0; i < count; i++) {
        AclTag tag = AclTag.of(in.getShort() & 0xffff);
        int permissions = in.getShort() & 0xffff;
        int id = in.getInt();
        entries[i] = new AclEntry(tag, permissions, tag.isNamed() ? id : AclEntry.NOBODY);
      }
      return Optional.of(new AccessControlList(List.of(entries)));
    } catch (IllegalArgumentException invalid) {
      return Optional.empty();
    }
  }

  /** Returns the bytes of the extended attribute. */
  public byte[] encode() {
    ByteBuffer out =
        ByteBuffer.allocate(HEADER_BYTES + entries.size() * ENTRY_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(VERSION);
    for (AclEntry entry : entries) {
      out.putShort((short) entry.tag().code())
          .putShort((short) entry.permissions())
          .putInt(entry.id());
    }
    return out.array();
  }

  /** Returns whether a mode says the same as the list, so that a file needs no list. */
  public boolean isEquivalentToMode() {
    return entries.stream().noneMatch(entry -> entry.tag().isNamed() || entry.tag() == AclTag.MASK);
  }

  /** Returns the nine bits of the mode of a file with this list. */
  public int permissions() {
    return permissionsOf(AclTag.OWNER) << OWNER_SHIFT
        | permissionsOf(groupClass()) << GROUP_SHIFT
        | permissionsOf(AclTag.OTHER);
  }

  /** The group bits of a mode are those of the mask, if there is one. */
  private AclTag groupClass() {
    return entries.stream().anyMatch(entry -> entry.tag() == AclTag.MASK)
        ? AclTag.MASK
        : AclTag.OWNING_GROUP;
  }

  private int permissionsOf(AclTag tag) {
    return entries.stream()
        .filter(entry -> entry.tag() == tag)
        .findFirst()
        .map(AclEntry::permissions)
        .orElse(0);
  }

  /** Returns the list of a file after a {@code chmod}. */
  public AccessControlList withPermissions(int mode) {
    return mapped(
        entry -> {
          int shift = shift(entry.tag());
          return shift < 0 ? entry : entry.with(mode >> shift & RIGHTS);
        });
  }

  private AccessControlList mapped(UnaryOperator<AclEntry> change) {
    return new AccessControlList(entries.stream().map(change).toList());
  }

  /** Returns the place of an entry's permissions in a mode, or -1 if they have none. */
  private int shift(AclTag tag) {
    if (tag == groupClass()) {
      return GROUP_SHIFT;
    }
    return switch (tag) {
      case OWNER -> OWNER_SHIFT;
      case OTHER -> 0;
      case USER, OWNING_GROUP, GROUP, MASK -> -1;
    };
  }

  /**
   * Returns the list that a new file gets from this default list of its directory.
   *
   * @param mode the mode that the creator asked for; the umask does not apply
   */
  public AccessControlList inherited(int mode) {
    return mapped(
        entry -> {
          int shift = shift(entry.tag());
          return shift < 0 ? entry : entry.with(entry.permissions() & mode >> shift);
        });
  }
}
