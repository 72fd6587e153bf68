package corfu.roles.logunit.segment;

import java.nio.ByteBuffer;

/** Receives the records of log files in the order in which they are written. */
public interface RecordWriter {

  /**
   * Begins a file: the following records belong to it.
   *
   * @param segment the file
   * @param opening prepares the file, on the writing thread
   */
  void begin(Segment segment, Runnable opening);

  /** Adds a record that is no entry at the end of its file. */
  void addRecord(Segment segment, int kind, long address, ByteBuffer body);
}
