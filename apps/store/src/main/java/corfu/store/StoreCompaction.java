package corfu.store;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.LogStream;
import corfu.smr.StateMachineReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Moves live values above a bound, and deletes everything below it. Each step leaves a consistent
 * store:
 *
 * <ol>
 *   <li>A checkpoint defines the bound. A mark in the log before it ensures that all values written
 *       so far lie below the bound.
 *   <li>A floor forbids changes to refer to values below the bound. So the set of live values below
 *       it cannot grow.
 *   <li>The live values are written again. Each keeps its version, unless its key was changed
 *       meanwhile.
 *   <li>A second checkpoint has the new places. Then only replicas that lag need the values below
 *       the bound. The compaction waits for them: a replica that must continue with a checkpoint
 *       loses the replies to its own changes.
 * </ol>
 */
final class StoreCompaction {

  /**
   * The wait for replicas that lag. A replica lags by about 20 ms, and by more on a busy machine.
   */
  private static final Duration LAG = Duration.ofSeconds(1);

  private final StreamAccess access;
  private final Supplier<StoreSnapshot> snapshots;
  private final StateMachineReplica<StoreMachine> replica;
  private final Values values;
  private final LogStream valueStream;
  private final StoreOptions options;

  StoreCompaction(
      StreamAccess access,
      Supplier<StoreSnapshot> snapshots,
      StateMachineReplica<StoreMachine> replica,
      Values values,
      LogStream valueStream,
      StoreOptions options) {
    this.access = access;
    this.snapshots = snapshots;
    this.replica = replica;
    this.values = values;
    this.valueStream = valueStream;
    this.options = options;
  }

  Address run() {
    StreamAddress oldValues = valueStream.tail();
    submit(new IndexCommand.Write(OptionalLong.empty(), List.of(), List.of())); // the mark
    Address bound = replica.checkpoint();
    submit(new IndexCommand.Floor(bound));
    StoreSnapshot now = snapshots.get();
    moveAll(now, bound);
    Address kept = replica.checkpoint();
    access.world().pause(LAG);
    access.deadline().renew();
    replica.forget(bound);
    valueStream.trim(oldValues);
    return kept;
  }

  private void moveAll(StoreSnapshot now, Address bound) {
    Map<String, ValueLocation> together = new LinkedHashMap<>();
    long bytes = 0;
    int most = Math.max(options.inlineBytes(), 64 << 10);
    for (Map.Entry<String, ValueLocation> entry : now.index()) {
      ValueLocation slot = entry.getValue();
      if (slot.address().compareTo(bound) >= 0) {
        continue;
      }
      if (!together.isEmpty()
          && (bytes + slot.length() > most || together.size() == options.maxKeys())) {
        move(together);
        together.clear();
        bytes = 0;
      }
      together.put(entry.getKey(), slot);
      bytes += slot.length();
    }
    if (!together.isEmpty()) {
      move(together);
    }
  }

  private void move(Map<String, ValueLocation> slots) {
    Optional<Map<String, Versioned>> found = values.read(slots);
    if (found.isEmpty()) {
      return; // another compaction was faster and has moved them
    }
    List<IndexCommand.Moved> moved = new ArrayList<>();
    found
        .get()
        .forEach(
            (key, value) ->
                moved.add(new IndexCommand.Moved(key, value.version(), 0, value.value())));
    submit(new IndexCommand.Move(moved));
    access.deadline().renew();
  }

  private void submit(IndexCommand command) {
    var unused = replica.submit(KeyValueStore.bytes(command));
  }
}
