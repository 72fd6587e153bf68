package corfu.roles.logunit.pagemap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Counts the arenas that have not been closed. */
public final class CountedArenas {

  public int opened;

  public Arena open() {
    Arena arena = Arena.ofShared();
    opened++;
    return new Arena() {
      @Override
      public MemorySegment allocate(long bytes, long alignment) {
        return arena.allocate(bytes, alignment);
      }

      @Override
      public MemorySegment.Scope scope() {
        return arena.scope();
      }

      @Override
      public void close() {
        arena.close();
        opened--;
      }
    };
  }
}
