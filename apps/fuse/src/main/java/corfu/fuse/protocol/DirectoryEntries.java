package corfu.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Collects the entries of a reply to READDIR or READDIRPLUS, until the reply is full. Not
 * thread-safe.
 */
public final class DirectoryEntries {

  private static final int NAME_OFFSET = 24;

  private final MemorySegment bytes;
  private final boolean plus;
  private int length;

  /**
   * Returns an empty list.
   *
   * @param bytes the room for the entries
   * @param plus whether entries carry the attributes of their files
   */
  public DirectoryEntries(MemorySegment bytes, boolean plus) {
    this.bytes = bytes;
    this.plus = plus;
  }

  /** Returns whether the kernel expects {@link #add(FileName, Entry, long)}. */
  public boolean isPlus() {
    return plus;
  }

  /** Returns the bytes of all entries. */
  public int length() {
    return length;
  }

  /** Returns whether an entry with such a name fits. */
  public boolean hasRoomFor(FileName name) {
    return size(name) <= bytes.byteSize() - length;
  }

  /**
   * Adds a name without attributes. In a reply to READDIRPLUS the kernel then looks the name up
   * itself.
   *
   * @param inode the file's inode number, not 0
   * @param mode the file's mode; only its type is used
   * @param offset the offset at which the kernel continues behind this entry, not 0
   * @return whether it fits
   */
  public boolean add(FileName name, long inode, int mode, long offset) {
    if (!hasRoomFor(name)) {
      return false;
    }
    int at = length;
    if (plus) {
      bytes.asSlice(at, ReplyEncoder.ENTRY_BYTES).fill((byte) 0);
      at += ReplyEncoder.ENTRY_BYTES;
    }
    addName(at, name, inode, mode, offset);
    return true;
  }

  /**
   * Adds a name with its file. The kernel counts that as a lookup.
   *
   * @param entry the file
   * @param offset the offset at which the kernel continues behind this entry, not 0
   * @return whether it fits
   * @throws IllegalStateException if this is no reply to READDIRPLUS
   */
  public boolean add(FileName name, Entry entry, long offset) {
    if (!plus) {
      throw new IllegalStateException("READDIR has no attributes; add the name alone");
    }
    if (!hasRoomFor(name)) {
      return false;
    }
    int at = length + ReplyEncoder.entry(bytes, length, entry);
    addName(at, name, entry.attributes().inode(), entry.attributes().mode(), offset);
    return true;
  }

  private void addName(int at, FileName name, long inode, int mode, long offset) {
    int end = length + size(name);
    byte[] text = name.shared();
    bytes.set(JAVA_LONG_UNALIGNED, at, inode);
    bytes.set(JAVA_LONG_UNALIGNED, at + 8L, offset);
    bytes.set(JAVA_INT_UNALIGNED, at + 16L, text.length);
    bytes.set(JAVA_INT_UNALIGNED, at + 20L, mode >>> 12 & 0xF);
    MemorySegment.copy(text, 0, bytes, JAVA_BYTE, at + (long) NAME_OFFSET, text.length);
    int padding = at + NAME_OFFSET + text.length;
    bytes.asSlice(padding, end - padding).fill((byte) 0);
    length = end;
  }

  private int size(FileName name) {
    int dirent = NAME_OFFSET + name.length() + 7 & ~7;
    return plus ? ReplyEncoder.ENTRY_BYTES + dirent : dirent;
  }
}
