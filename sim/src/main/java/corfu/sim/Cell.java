package corfu.sim;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.ObjectType;

/**
 * A number. No transaction lets two cells have the same number.
 *
 * <p>The class stays in this package: checkpoints contain its name, so a move would change the
 * traces of seeds.
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
