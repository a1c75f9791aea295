# SPDX-License-Identifier: Apache-2.0
"""Models and batches of the scripts that stand on PyTorch: its own, Horovod's and DeepSpeed's train the same."""

import sb_run


def bottleneck_net(nn):
    """ResNet-50 v1.5: the stride sits in the 3x3 convolution. 25,557,032 parameters."""
    class Block(nn.Module):
        def __init__(self, inside, width, stride):
            super().__init__()
            self.conv1 = nn.Conv2d(inside, width, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(width)
            self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(width)
            self.conv3 = nn.Conv2d(width, 4 * width, 1, bias=False)
            self.bn3 = nn.BatchNorm2d(4 * width)
            self.relu = nn.ReLU(inplace=True)
            self.shortcut = None
            if stride != 1 or inside != 4 * width:
                self.shortcut = nn.Sequential(nn.Conv2d(inside, 4 * width, 1, stride, bias=False),
                                              nn.BatchNorm2d(4 * width))

        def forward(self, x):
            y = self.relu(self.bn1(self.conv1(x)))
            y = self.relu(self.bn2(self.conv2(y)))
            y = self.bn3(self.conv3(y))
            return self.relu(y + (x if self.shortcut is None else self.shortcut(x)))

    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
              nn.MaxPool2d(3, 2, 1)]
    inside = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            layers.append(Block(inside, 64 << stage, 2 if stage > 0 and block == 0 else 1))
            inside = 4 * (64 << stage)
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inside, 1000)]
    net = nn.Sequential(*layers)
    for module in net.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    return net


def bert_net(torch, chosen):
    """BERT pre-training: masked tokens (decoder tied to the embedding) and next sentence."""
    nn = torch.nn
    functional = nn.functional
    layers, width, heads = sb_run.BERT[chosen.model]

    def attention(q, k, v, drop):
        if hasattr(functional, "scaled_dot_product_attention"):  # PyTorch 2.0 or newer
            return functional.scaled_dot_product_attention(q, k, v, dropout_p=drop)
        weights = functional.softmax(q @ k.transpose(-2, -1) * (width // heads) ** -0.5, -1)
        return functional.dropout(weights, drop) @ v

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(width, 3 * width)
            self.out = nn.Linear(width, width)
            self.norm1 = nn.LayerNorm(width, eps=1e-12)
            self.up = nn.Linear(width, 4 * width)
            self.down = nn.Linear(4 * width, width)
            self.norm2 = nn.LayerNorm(width, eps=1e-12)
            self.drop = nn.Dropout(0.1)

        def forward(self, x):
            n, length, _ = x.shape
            q, k, v = self.qkv(x).view(n, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
            y = attention(q, k, v, 0.1 if self.training else 0.0)
            y = self.out(y.transpose(1, 2).reshape(n, length, width))
            x = self.norm1(x + self.drop(y))
            y = self.down(functional.gelu(self.up(x), approximate="tanh"))
            return self.norm2(x + self.drop(y))

    class Bert(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(sb_run.VOCABULARY, width)
            self.places = nn.Embedding(512, width)
            self.segments = nn.Embedding(2, width)
            self.norm = nn.LayerNorm(width, eps=1e-12)
            self.drop = nn.Dropout(0.1)
            self.layers = nn.ModuleList(Layer() for _ in range(layers))
            self.dense = nn.Linear(width, width)
            self.dense_norm = nn.LayerNorm(width, eps=1e-12)
            self.bias = nn.Parameter(torch.zeros(sb_run.VOCABULARY))
            self.pooler = nn.Linear(width, width)
            self.next = nn.Linear(width, 2)

        def forward(self, tokens, segments, positions, masked, next_labels):
            places = torch.arange(tokens.shape[1], device=tokens.device)
            x = self.tokens(tokens) + self.places(places) + self.segments(segments)
            x = self.drop(self.norm(x))
            for layer in self.layers:
                x = layer(x)
            picked = torch.gather(x, 1, positions.unsqueeze(2).expand(-1, -1, x.shape[2]))
            y = self.dense_norm(functional.gelu(self.dense(picked), approximate="tanh"))
            words = functional.linear(y, self.tokens.weight, self.bias)
            follows = self.next(torch.tanh(self.pooler(x[:, 0])))
            return (functional.cross_entropy(words.flatten(0, 1).float(), masked.flatten()) +
                    functional.cross_entropy(follows.float(), next_labels))

    net = Bert()
    for module in net.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
    return net


class Images:
    """Batches of a folder of images in folders (torchvision), endlessly."""

    def __init__(self, torch, chosen, rank, world):
        from torchvision import datasets, transforms
        take = transforms.Compose([transforms.RandomResizedCrop(chosen.image_size),
                                   transforms.RandomHorizontalFlip(), transforms.ToTensor()])
        found = datasets.ImageFolder(chosen.data, take)
        sampler = torch.utils.data.distributed.DistributedSampler(found, world, rank)
        self.loader = torch.utils.data.DataLoader(
            found, chosen.batch_size, sampler=sampler, num_workers=chosen.workers, drop_last=True,
            pin_memory=chosen.device == "cuda")
        if len(self.loader) == 0:
            raise sb_run.Refused(sb_run.UNSUPPORTED, "%s has fewer images than one batch" % chosen.data)

    def __iter__(self):
        while True:
            yield from self.loader


def batches(torch, chosen, rank, world, device):
    """Tuples of tensors on the device, endlessly, and whether each is new."""
    if chosen.data != "synthetic":
        if chosen.is_bert:
            raise sb_run.Refused(sb_run.UNSUPPORTED, "BERT trains on --data synthetic only")
        for images, labels in Images(torch, chosen, rank, world):
            yield images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
    data = sb_run.Synthetic(chosen, rank)
    names = ("tokens", "segments", "positions", "masked", "next") if chosen.is_bert else ("images", "labels")
    batch = [torch.from_numpy(getattr(data, name)).to(device) for name in names]
    batch = [x if x.is_floating_point() else x.long() for x in batch]
    if not chosen.is_bert and chosen.device == "cuda":
        batch[0] = batch[0].contiguous(memory_format=torch.channels_last)
    while True:
        yield batch


def groups_of(net, decay):
    """Weights decay; biases and norms do not."""
    yes = [p for p in net.parameters() if p.ndim > 1]
    no = [p for p in net.parameters() if p.ndim <= 1]
    return [{"params": yes, "weight_decay": decay}, {"params": no, "weight_decay": 0.0}]


def prepare(torch, chosen, local):
    if chosen.device == "cuda":
        if not torch.cuda.is_available():
            raise sb_run.Refused(sb_run.UNSUPPORTED, "PyTorch %s sees no GPU here; nvidia-smi and the "
                                 "container's GPU flag say why" % torch.__version__)
        torch.cuda.set_device(local % torch.cuda.device_count())
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = chosen.precision == "tf32"
        torch.backends.cudnn.benchmark = True
        return torch.device("cuda", torch.cuda.current_device())
    if chosen.threads > 0:
        torch.set_num_threads(chosen.threads)
    return torch.device("cpu")
