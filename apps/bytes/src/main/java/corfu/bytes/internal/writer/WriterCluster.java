package corfu.bytes.internal.writer;

import corfu.bytes.internal.state.BytesState;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The operations of a client that a {@link WriterPlayer} needs. Thread-safe. */
public interface WriterCluster {

  /** Appends an entry to the array's stream. */
  CompletableFuture<StreamAppend.Appended> append(ByteBuffer payload);

  /** Asks for the end of the array's stream. */
  StreamEnds ends();

  /**
   * Returns whether a checkpoint includes an entry at this place or behind it, or did so before its
   * pages were trimmed. Then entries from there on may be trimmed.
   */
  boolean isCheckpointedFrom(long place);

  /** Plays the newest state of the array, from checkpoints if entries are gone. */
  BytesState newest();

  /**
   * Finds the version of a state anew, because pages of its map were trimmed.
   *
   * @throws corfu.bytes.VersionForgottenException if its entries were trimmed, too
   */
  BytesState again(BytesState lost);

  /** Makes a call on maps, again and again if it fails because pages were trimmed. */
  <T> T withMaps(Supplier<T> call);

  /** Runs a task that may block on a thread of its own. */
  void start(Supplier<Boolean> task);
}
