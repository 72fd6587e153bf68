package corfu.roles.logunit.segment;

import java.nio.ByteBuffer;

/** Takes the records of segments in the order in which they go to the disk. */
public interface RecordWriter {

  /** What follows goes to this file. {@code opening} makes it ready, on the thread that writes. */
  void begin(Segment segment, Runnable opening);

  /** Adds a record that is no entry at the end of its segment. */
  void addRecord(Segment segment, int kind, long address, ByteBuffer body);
}
