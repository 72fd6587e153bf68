package corfu.sim;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.ObjectType;

/**
 * A number. Of two of them nobody ever lets both be the same.
 *
 * <p>Stays in this package: checkpoints hold its name, and with it the traces of seeds would
 * change.
 */
public class Cell {

  public static final ObjectType<Cell> TYPE = ObjectTypes.of(Cell.class);

  private long number;

  @Mutator
  public void set(long other) {
    number = other;
  }

  @Accessor
  public long get() {
    return number;
  }
}
