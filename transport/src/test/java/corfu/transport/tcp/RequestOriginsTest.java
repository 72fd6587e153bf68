package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.message.RequestOrigin;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Which connections belong to one client. */
final class RequestOriginsTest {

  private static RequestOrigin of(String host, int port) {
    return RequestOrigins.of(new InetSocketAddress(host, port));
  }

  @Test
  void allConnectionsOfAHostAreOfOneClient() {
    assertThat(of("10.0.0.7", 1)).isEqualTo(of("10.0.0.7", 2)).isNotEqualTo(of("10.0.0.8", 1));
    assertThat(of("fd00::7", 1)).isEqualTo(of("fd00::7", 2));
  }

  @Test
  void connectionsOfTheServersOwnMachineAreOfDifferentClients() {
    assertThat(of("127.0.0.1", 1)).isNotEqualTo(of("127.0.0.1", 2));
    assertThat(of("::1", 1)).isNotEqualTo(of("::1", 2));
  }

  @Test
  void aConnectionThatHasEndedIsOfNobody() {
    assertThat(RequestOrigins.of(null)).isEqualTo(RequestOrigin.UNKNOWN);
    assertThat(RequestOrigin.UNKNOWN.isKnown()).isFalse();
  }
}
