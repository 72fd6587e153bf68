package corfu.sim;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.serial.InLog;
import corfu.objects.type.ObjectType;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Registers whose values stay in the log, although mutators read them during playback.
 *
 * <p>The class stays in this package: checkpoints contain its name, so a move would change the
 * traces of seeds.
 */
public class Shelf {

  public static final ObjectType<Shelf> TYPE = ObjectTypes.of(Shelf.class);

  private TreeMap<Long, InLog<Long>> values = new TreeMap<>();

  @Mutator
  public void putAll(Map<Long, InLog<Long>> all) {
    values.putAll(all);
  }

  /** Reads its result from the log after it has changed the register. */
  @MutatorAccessor
  public @Nullable Long put(long register, InLog<Long> value) {
    return read(values.put(register, value));
  }

  @MutatorAccessor
  public @Nullable Long remove(long register) {
    return read(values.remove(register));
  }

  @Accessor
  public @Nullable Long value(long register) {
    return read(values.get(register));
  }

  @Accessor
  public Map<Long, InLog<Long>> values() {
    return values;
  }

  private static @Nullable Long read(@Nullable InLog<Long> value) {
    return value == null ? null : value.get();
  }
}
