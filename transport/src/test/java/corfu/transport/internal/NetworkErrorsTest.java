package corfu.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkErrorsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          finishConnect(..) failed with error(-111): /127.0.0.1:9000      | connection refused
          connect(..) failed with error(-113): Host is unreachable        | no route to the host
          connect(..) failed with error(-101): Network is unreachable     | the network is unreachable
          finishConnect(..) failed with error(-110)                       | the connection timed out
          recvAddress(..) failed with error(-104): Connection reset by peer | the connection was reset
          Connection refused: /127.0.0.1:9000                             | connection refused
          No route to host: /10.0.0.1:9000                                | no route to the host
          connection timed out after 2000 ms: /10.0.0.1:9000              | the connection timed out
          """)
  void anErrorOfTheNetworkIsSaidInWords(String said, String words) {
    assertThat(NetworkErrors.describe(new ConnectException(said))).isEqualTo(words);
  }

  @Test
  void anErrorThatIsNotKnownKeepsItsWords() {
    assertThat(NetworkErrors.describe(new IOException("failed with error(-999)")))
        .isEqualTo("failed with error(-999)");
    assertThat(NetworkErrors.describe(new IOException())).isEqualTo("null");
  }
}
