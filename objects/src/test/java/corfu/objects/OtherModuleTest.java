package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Classes from another class loader, and so in another module, as in containers and shells. */
@Timeout(180)
class OtherModuleTest {

  private final TwoClients clients = new TwoClients(ObjectOptions.DEFAULT);

  @AfterEach
  void stop() {
    clients.close();
  }

  /** The test's access to the class that the other loader has loaded. */
  public interface Purse {
    void put(long amount);

    long content();
  }

  /** A loader that loads this one class anew. */
  private static final class Other extends ClassLoader {
    Other() {
      super(OtherModuleTest.class.getClassLoader());
    }

    Class<? extends Purse> purse() {
      String name = PlainPurse.class.getName();
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length).asSubclass(Purse.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void becomeObjectsLikeAllOthers() {
    Class<? extends Purse> type = new Other().purse();
    assertThat(type.getModule()).isNotSameAs(ReplicatedObjects.class.getModule());

    Purse purse = clients.here.open("purse", type);
    purse.put(1);
    clients.here.transact(
        () -> {
          purse.put(2);
          assertThat(purse.content()).isEqualTo(3); // of a copy with the change in it
        });

    assertThat(purse.content()).isEqualTo(3);
  }
}
