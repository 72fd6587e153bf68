package corfu.protocol.wire;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Passes a body on to another writer and computes its checksum, entries excluded. */
final class ChecksummingWriter implements WireWriter {

  private final WireWriter out;
  private final CRC32C checksum = new CRC32C();

  /** The position up to which all bytes are in the checksum or belong to an entry. */
  private int covered;

  ChecksummingWriter(WireWriter out) {
    this.out = out;
    this.covered = out.position();
  }

  /** Returns the checksum of all bytes written, entries excluded. */
  int checksum() {
    cover();
    return (int) checksum.getValue();
  }

  private void cover() {
    int position = out.position();
    if (covered < position) {
      out.digest(covered, position, checksum);
    }
  }

  @Override
  public void putEntry(Entry entry) {
    cover();
    out.putEntry(entry);
    covered = out.position();
  }

  @Override
  public void putBlocks(EntryBlocks blocks) {
    cover();
    out.putBlocks(blocks);
    covered = out.position();
  }

  @Override
  public int position() {
    return out.position();
  }

  @Override
  public void putByte(int value) {
    out.putByte(value);
  }

  @Override
  public void putShort(int value) {
    out.putShort(value);
  }

  @Override
  public void putInt(int value) {
    out.putInt(value);
  }

  @Override
  public void putLong(long value) {
    out.putLong(value);
  }

  @Override
  public void putBytes(ByteBuffer bytes) {
    out.putBytes(bytes);
  }

  @Override
  public void digest(int from, int to, Checksum into) {
    out.digest(from, to, into);
  }

  @Override
  public void setInt(int position, int value) {
    throw new UnsupportedOperationException(
        "written bytes are in the checksum already, and cannot change");
  }
}
