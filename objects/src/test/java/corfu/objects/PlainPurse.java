package corfu.objects;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;

/**
 * A class of its own file for {@link OtherModuleTest}, so that nothing ties it to the test's class.
 */
class PlainPurse implements OtherModuleTest.Purse {
  private long content;

  @Override
  @Mutator
  public void put(long amount) {
    content += amount;
  }

  @Override
  @Accessor
  public long content() {
    return content;
  }
}
