package corfu.sim.workload.object;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.serial.InLog;
import corfu.runtime.CorfuException;
import corfu.sim.Shelf;
import corfu.sim.history.ObjectCalls;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map of registers that is used in single calls only, whatever the form of its values. */
interface SoleMap {

  /** Returns the object's name. */
  String name();

  @Nullable Long get(long register);

  /**
   * Writes a register, and returns its earlier value.
   *
   * @throws UnreadException if the register was changed, but its earlier value could not be read
   */
  @Nullable Long put(long register, long value);

  void fastPut(long register, long value);

  void putAll(Map<Long, Long> values);

  /** Removes a value; otherwise like {@link #put}. */
  @Nullable Long remove(long register);

  /** The earlier value could not be read, or was forgotten since. */
  final class UnreadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadException(RuntimeException cause) {
      super(cause);
    }
  }

  /** A map with values in memory. */
  record InMemory(String name, ReplicatedMap<Long, Long> map) implements SoleMap {
    @Override
    public @Nullable Long get(long register) {
      return map.get(register);
    }

    @Override
    public @Nullable Long put(long register, long value) {
      return map.put(register, value);
    }

    @Override
    public void fastPut(long register, long value) {
      map.fastPut(register, value);
    }

    @Override
    public void putAll(Map<Long, Long> values) {
      map.putAll(values);
    }

    @Override
    public @Nullable Long remove(long register) {
      return map.remove((Object) register);
    }
  }

  /** A map with values that stay in the log. */
  record Pages(String name, ReplicatedMap<Long, InLog<Long>> map, ObjectCalls history)
      implements SoleMap {

    /**
     * How often a read is retried because its value was overwritten and forgotten before it was
     * fetched.
     */
    private static final int TRIES = 20;

    @Override
    public @Nullable Long get(long register) {
      for (int tries = 1; ; tries++) {
        InLog<Long> value = map.get(register);
        try {
          return read(value);
        } catch (HistoryTrimmedException overwritten) {
          history.count("value overwritten and forgotten before it was fetched");
          if (tries == TRIES) {
            throw overwritten;
          }
        }
      }
    }

    @Override
    public @Nullable Long put(long register, long value) {
      return readBefore(map.put(register, InLog.of(value)));
    }

    @Override
    public void fastPut(long register, long value) {
      map.fastPut(register, InLog.of(value));
    }

    @Override
    public void putAll(Map<Long, Long> values) {
      map.putAll(inLog(values));
    }

    @Override
    public @Nullable Long remove(long register) {
      return readBefore(map.remove((Object) register));
    }

    private static @Nullable Long readBefore(@Nullable InLog<Long> value) {
      try {
        return read(value);
      } catch (CorfuException | HistoryTrimmedException unread) {
        throw new UnreadException(unread);
      }
    }

    private static @Nullable Long read(@Nullable InLog<Long> value) {
      return value == null ? null : value.get();
    }
  }

  /** A map with values that stay in the log and that the object itself reads. */
  record Shelved(String name, Shelf shelf) implements SoleMap {
    @Override
    public @Nullable Long get(long register) {
      return shelf.value(register);
    }

    @Override
    public @Nullable Long put(long register, long value) {
      return shelf.put(register, InLog.of(value));
    }

    @Override
    public void fastPut(long register, long value) {
      putAll(Map.of(register, value));
    }

    @Override
    public void putAll(Map<Long, Long> values) {
      shelf.putAll(inLog(values));
    }

    @Override
    public @Nullable Long remove(long register) {
      return shelf.remove(register);
    }
  }

  private static Map<Long, InLog<Long>> inLog(Map<Long, Long> values) {
    Map<Long, InLog<Long>> all = new HashMap<>();
    values.forEach((register, value) -> all.put(register, InLog.of(value)));
    return all;
  }
}
