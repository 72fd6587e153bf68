package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Endpoint;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectStringTest {

  private static final class Seen extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Returns the default options that a string leads to, without a connection. */
  private static CorfuOptions optionsOf(String servers) {
    var seen = new AtomicReference<CorfuOptions>();
    assertThatThrownBy(
            () ->
                Corfu.connect(
                    servers,
                    options -> {
                      seen.set(options);
                      throw new Seen();
                    }))
        .isInstanceOf(Seen.class);
    return seen.get();
  }

  @Test
  void oneStringNamesOneServerOrSeveral() {
    assertThat(optionsOf("host:9000").servers()).containsExactly(new Endpoint("host", 9000));
    assertThat(optionsOf("host:9000, 10.0.0.2:9001,[::1]:9002").servers())
        .containsExactly(
            new Endpoint("host", 9000), new Endpoint("10.0.0.2", 9001), new Endpoint("::1", 9002));
  }

  @Test
  void theOptionsAreTheDefaults() {
    CorfuOptions options = optionsOf("host:9000");
    assertThat(options).isEqualTo(CorfuOptions.of(options.servers()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a:1,,b:2         | server 2 of 'a:1,,b:2' is wrong: it is empty",
        "a:1,             | server 2 of 'a:1,' is wrong: it is empty",
        "''               | server 1 of '' is wrong: it is empty",
        "a:1,b            | server 2 of 'a:1,b' is wrong: a server's address is host:port, but this"
            + " is 'b'",
        "a:1,b:x          | server 2 of 'a:1,b:x' is wrong: a server's address is host:port, but"
            + " this is 'b:x'",
        "a:70000,b:1      | server 1 of 'a:70000,b:1' is wrong: a server's address is host:port"
            + " with a port from 1 to 65535",
        ":9000            | server 1 of ':9000' is wrong: a server's address is host:port, but this"
            + " is ':9000'",
        "a:1,::1:9000     | server 2 of 'a:1,::1:9000' is wrong: '::1:9000' is not [address]:port",
        "[::1:9000        | server 1 of '[::1:9000' is wrong: '[::1:9000' is not [address]:port",
        "[::1]            | server 1 of '[::1]' is wrong: '[::1]' is not [address]:port",
        "a:1,b:2,a:1      | server 3 of 'a:1,b:2,a:1' is wrong: 'a:1' is there twice"
      })
  void anErrorNamesThePartThatIsWrong(String servers, String message) {
    assertThatThrownBy(() -> Corfu.connect(servers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
